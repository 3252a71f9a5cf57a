"""New records appear at the top, wait while one reads, and move neither the selection nor the scroll position."""

from playwright.sync_api import expect

import records
from browser import record


def run(server, browser):
    server.log(records.lines(300))
    page = browser.page("?tab=logs")
    expect(page.locator("#row-0")).to_contain_text("record 299")
    expect(page.locator("#live")).to_have_attribute("aria-pressed", "true")
    server.log([{"time": records.time(400), "message": "first arrival"}])
    expect(page.locator("#row-0")).to_contain_text("first arrival")

    # While scrolled, they wait.
    page.evaluate("document.getElementById('records').scrollTop = 480")
    expect(page.locator("#row-20")).to_be_visible()
    before = page.locator("#row-20").text_content()
    server.log([{"time": records.time(401 + number), "message": f"waiting {number}"} for number in range(5)])
    expect(page.locator("#pending")).to_have_text("5 new records")
    assert page.evaluate("document.getElementById('records').scrollTop") == 480
    assert page.locator("#row-20").text_content() == before
    page.locator("#pending").click()
    expect(page.locator("#row-0")).to_contain_text("waiting 4")
    expect(page.locator("#pending")).to_be_hidden()

    # While one is selected, too.
    record(page, "waiting 2").click()
    server.log([{"time": records.time(500), "message": "later"}])
    expect(page.locator("#pending")).to_have_text("1 new record")
    expect(page.locator("#records [aria-selected=true]")).to_contain_text("waiting 2")
    page.keyboard.press("Escape")
    expect(page.locator("#detail")).to_be_hidden()

    # And while paused.
    page.locator("#pending").click()
    page.locator("#live").click()
    expect(page.locator("#live")).to_have_attribute("aria-pressed", "false")
    server.log([{"time": records.time(501), "message": "while paused"}])
    expect(page.locator("#pending")).to_have_text("1 new record")
    page.locator("#live").click()
    expect(page.locator("#row-0")).to_contain_text("while paused")

    # A filter holds for what arrives.
    query = page.get_by_label("Filter", exact=True)
    query.fill("level>=error")
    query.press("Enter")
    expect(page.locator("#row-0").locator(".level")).to_have_text("error")
    server.log([{"time": records.time(600), "message": "unwanted"}, {"time": records.time(601), "level": "critical", "message": "wanted"}])
    expect(page.locator("#row-0")).to_contain_text("wanted")
    assert page.get_by_text("unwanted", exact=True).count() == 0

    # Seven tabs of one browser, which has six connections to a server.
    tabs = [browser.page("?tab=logs", context=page.context) for _ in range(7)]
    for tab in tabs:
        expect(tab.locator("#row-0")).to_contain_text("wanted")
    server.log([{"time": records.time(700), "level": "critical", "message": "for all tabs"}])
    for tab in [page, *tabs]:
        expect(tab.locator("#row-0")).to_contain_text("for all tabs")
