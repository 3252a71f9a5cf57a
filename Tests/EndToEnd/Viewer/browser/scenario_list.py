"""The list has every record, the newest first, but only the rows that are seen."""

from playwright.sync_api import expect

import records
from browser import messages, record


def run(server, browser):
    server.log(records.lines(5000))
    page = browser.page("?tab=logs")
    expect(page.locator(".total")).to_have_text("5,000 records")
    expect(page.locator("#row-0")).to_contain_text("record 4999")
    assert messages(page)[:3] == ["record 4999", "record 4998", "record 4997"]
    expect(page.locator("#row-0").locator(".time")).to_have_text("01-05 15:23:19.000")
    assert page.locator("#records .row").count() < 100, "all rows exist"

    # Down to the oldest: pages are requested on the way.
    page.wait_for_function("""() => {
        const list = document.getElementById('records')
        list.scrollTop = list.scrollHeight
        return [...list.querySelectorAll('.row .message')].some((one) => one.textContent === 'record 0')
    }""")
    assert page.locator("#records .row").count() < 100, "rows are not removed"
    assert page.evaluate("document.querySelector('.space').clientHeight") == 5000 * 24

    # The record.
    page.evaluate("document.getElementById('records').scrollTop = 0")
    record(page, "record 4997").click()
    detail = page.locator("#detail")
    expect(detail.locator("pre")).to_have_text("record 4997")
    expect(detail.locator("tr", has_text="number").first).to_be_visible()
    expect(detail).to_contain_text("2026-01-05T15:23:17")
    # What can be taken out: some records as lines.
    record(page, "record 4995").click(modifiers=["Shift"])
    expect(page.locator("#records [aria-selected=true]")).to_have_count(3)
    with page.expect_download() as download:
        page.get_by_role("button", name="Export").click()
    with open(download.value.path(), encoding="utf-8") as file:
        assert len(file.read().splitlines()) == 3
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator("#logs").get_by_role("button", name="Copy").click()
    expect(page.locator("#announcer")).to_have_text("3 records copied.")
    copied = page.evaluate("navigator.clipboard.readText()").splitlines()
    assert copied[0].startswith("2026-01-05T15:23:15") and copied[0].endswith("record 4995"), copied
