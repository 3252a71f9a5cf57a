"""What is typed and what is clicked filters the list, and a wrong query is explained."""

from playwright.sync_api import expect

import records


def run(server, browser):
    server.log(records.lines(2100))
    page = browser.page("?tab=logs", allowed=["400 (Bad Request)"])
    query = page.get_by_label("Filter", exact=True)
    query.fill('level>=warning logger:net "record 20"*')
    query.press("Enter")
    expect(page.locator(".total")).not_to_have_text("2,100 records")
    shown = server.request("GET", "/api/histogram?q=level%3E%3Dwarning%20logger%3Anet%20%22record%2020%22*")["total"]
    expect(page.locator(".total")).to_have_text(f"{shown} record" + ("" if shown == 1 else "s"))

    query.fill("level>=loud")
    query.press("Enter")
    problem = page.locator("#query-problem")
    expect(problem).to_be_visible()
    expect(problem).to_contain_text("level")
    expect(problem).to_contain_text("character 8")
    assert query.get_attribute("aria-invalid") == "true"

    query.fill("")
    query.press("Enter")
    expect(problem).to_be_hidden()
    expect(page.locator(".total")).to_have_text("2,100 records")
    facets = page.locator("#facets")
    facets.get_by_role("button", name="error", exact=False).first.click()
    expect(query).to_have_value("level:error")
    expect(page.locator(".total")).to_have_text("300 records")
    expect(page.locator("#row-0").locator(".level")).to_have_text("error")
    facets.get_by_label("Without logger net", exact=True).click()
    expect(query).to_have_value("level:error -logger=net")
    expect(page.locator(".total")).to_have_text("200 records")
    facets.get_by_role("button", name="error", exact=False).first.click()
    expect(query).to_have_value("-logger=net")

    # An attribute of one's own.
    facets.get_by_label("Name of an attribute").fill("status")
    facets.get_by_role("button", name="Add").click()
    facets.locator("[data-field=status]").get_by_role("button", name="500").first.click()
    expect(query).to_have_value("-logger=net status=500")
    expect(page.locator(".total")).to_have_text("200 records")
    page.go_back()
    expect(query).to_have_value("-logger=net")
