"""The address carries the whole view."""

import re

from playwright.sync_api import expect

import records
from browser import record


def run(server, browser):
    server.log(records.lines(3000))
    server.move(records.drive("ferry", 200))
    page = browser.page("?zone=utc")
    query = page.get_by_label("Filter", exact=True)
    query.fill("level>=warning")
    query.press("Enter")
    expect(page.locator("#row-0")).to_contain_text("record 2995")
    record(page, "record 2939").scroll_into_view_if_needed()
    record(page, "record 2939").click()
    page.wait_for_function("() => location.search.includes('id=') && location.search.includes('at=') && location.search.includes('map=')")
    address = page.url.removeprefix(server.url)

    other = browser.page(address)
    expect(other.get_by_label("Filter", exact=True)).to_have_value("level>=warning")
    expect(other.locator("#records [aria-selected=true]")).to_contain_text("record 2939")
    expect(other.locator("#detail pre")).to_have_text("record 2939")
    expect(other.locator(".where")).to_have_text(page.locator(".where").text_content())
    # The records around it are there, newer and older.
    expect(record(other, "record 2945")).to_be_visible()
    expect(record(other, "record 2931")).to_be_visible()

    # Saved views are addresses with a name.
    other.get_by_role("button", name="Options").click()
    other.get_by_label("Name of the view").fill("warnings")
    other.get_by_role("button", name="Save").click()
    expect(other.get_by_role("link", name="warnings")).to_have_attribute("href", re.compile(r"^/\?q=level%3E%3Dwarning&at=2026.*&id=.*&map=.*&zone=utc$"))
    other.get_by_role("button", name="Close", exact=True).click()

    # All that surrounds a record, whatever the filter hides.
    page.get_by_role("button", name="Around").click()
    expect(query).to_have_value("")
    expect(record(page, "record 2938")).to_be_visible()
    expect(page.locator("#records [aria-selected=true]")).to_contain_text("record 2939")
