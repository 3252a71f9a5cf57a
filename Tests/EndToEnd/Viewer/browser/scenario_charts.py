"""Numbers over time share the cursor with list, timeline and map, both ways."""

from playwright.sync_api import expect

import records
from browser import record


def click(chart, x=None):
    """Clicks at a distance from the left edge, else in the middle. A chart that is just drawn again is waited for."""
    chart.locator(".chart-plot").click(position={"x": x, "y": 40} if x else None)


def run(server, browser):
    server.log(records.lines(600))
    # More than the API returns as records at a time.
    ferry = records.drive("ferry", 1500, step=0.4)
    for position in ferry[:200]:
        position["properties"]["altitude"] = 500
    server.move(ferry + records.drive("tender", 300, latitude=55.7, start=100))
    page = browser.page("?zone=utc&charts=1&tab=logs")
    charts = page.locator("#charts .chart")
    expect(charts).to_have_count(4)
    assert [one.split(",")[0].split(" ")[0] for one in charts.locator("figcaption").all_inner_texts()] == [
        "Speed", "Altitude", "Battery", "Records",
    ]
    # Each has its own space, also when they are drawn again.
    page.get_by_label("Filter", exact=True).fill("level>=debug")
    page.keyboard.press("Enter")
    page.wait_for_function("() => location.search.includes('q=')")
    page.wait_for_function("""() => [...document.querySelectorAll('.chart-plot')].length === 4 && [...document.querySelectorAll('.chart-plot')]
        .every((plot) => Math.abs(plot.firstElementChild.getBoundingClientRect().width - plot.getBoundingClientRect().width) < 2)""")
    # A click is a time of all.
    click(charts.first)
    expect(page.locator(".where")).to_contain_text("2026-01-05 14:0")
    expect(page.locator("#records .row.cursor")).to_be_in_viewport()
    expect(charts.first.locator(".chart-value")).to_contain_text(" at 14:0")
    # They begin with the range.
    click(charts.nth(1), 60)
    expect(charts.nth(1).locator(".chart-value")).to_contain_text("500.0 at 14:00:")
    # The list has followed.
    expect(page.locator("#records .row.cursor").filter(has_text="14:00:")).to_be_in_viewport()
    # A record's time is the charts'.
    page.keyboard.press("Escape")
    page.evaluate("document.getElementById('records').scrollTop = 0")
    record(page, "record 598").click()
    expect(page.locator(".where")).to_have_text("2026-01-05 14:09:58.000")
    expect(charts.last.locator(".chart-mark")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("h")
    expect(page.locator("#charts")).to_be_hidden()

    context = browser.context()
    context.route("**/lib/dygraphs/**", lambda route: route.fulfill(status=404, body="{}"))
    page = browser.page("?charts=1", context=context, allowed=["404 (Not Found)", "MIME type"])
    expect(page.locator("#charts")).to_contain_text("libjs-dygraphs")
