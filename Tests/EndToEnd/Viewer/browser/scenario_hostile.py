"""Whatever a record contains is shown as text."""

from playwright.sync_api import expect

import records
from browser import rows


def run(server, browser):
    server.log([
        {
            "time": records.time(number), "level": "error", "logger": text[:40], "message": text,
            "attributes": {text[:60]: text[:2000], "device.id": text[:60], "<b>name</b>": {"<i>inner</i>": text[:100]}},
        }
        for number, text in enumerate(records.HOSTILE)
    ])
    for scheme in ("light", "dark"):
        page = browser.page(color_scheme=scheme)
        expect(rows(page)).to_have_count(len(records.HOSTILE))
        for number in range(len(records.HOSTILE)):
            page.locator(f"#row-{number}").click()
            expect(page.locator("#detail pre")).to_be_visible()
        # The one with a million letters is not drawn at once.
        page.locator("#row-0").click()
        assert page.evaluate("document.querySelector('#detail pre').textContent.length") <= 20_000
        page.locator("#detail").get_by_role("button", name="Show all").click()
        assert page.evaluate("document.querySelector('#detail pre').textContent.length") > 500_000
        page.locator("#row-5").click()
        expect(page.locator("#detail pre")).to_have_text(records.HOSTILE[0])
        assert page.evaluate("window.hacked") is None
        assert page.locator("#detail b, #facets b, #records b, #facets img, #records img, #detail img").count() == 0
        # A value in a facet filters by exactly that value.
        page.locator("#facets [data-field=logger] .value").first.click()
        expect(page.locator(".total")).to_have_text("1 record")
        page.context.close()
    # The address of a page is data, too.
    page = browser.page("?q=%22%3Cscript%3Ewindow.hacked%3D1%3C%2Fscript%3E%22&id=%3Cimg%3E&at=never&map=x&tab=%3Cb%3E",
        allowed=["400 (Bad Request)"])
    expect(page.locator("#bar")).to_be_visible()
    assert page.evaluate("window.hacked") is None
