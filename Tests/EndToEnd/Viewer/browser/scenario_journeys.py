"""Trips, visits and periods without a fix: bars on the timeline, days of the history, places on the map."""

import os
import re

from playwright.sync_api import expect

import gpx
from scenario_accessible import check


def run(server, browser):
    track = os.path.join(server.directory, "ferry.gpx")
    gpx.track(track, gpx.day())
    server.view(track)
    page = browser.page("?zone=utc&tab=history")
    lane = page.locator(".lane")
    expect(lane).to_have_attribute("aria-label", "ferry: 2 trips, 3 visits, 1 period without a fix")
    expect(lane.locator("rect.trip")).to_have_count(2)
    expect(lane.locator("rect.visit")).to_have_count(3)
    expect(lane.locator("rect.gap")).to_have_count(1)
    check(page, "history")

    # A bar is a time.
    box = lane.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 4)
    expect(page.locator(".where")).to_contain_text("2026-01-05 15:2")

    # The day in words.
    day = page.locator("#history .day")
    expect(day).to_have_count(1)
    expect(day.locator("h3")).to_contain_text(re.compile(r"2 trips, 1[12]\.\d km"))
    expect(day.locator("li")).to_have_count(6)
    expect(day.locator("li.gap")).to_contain_text("No fix")
    # Nothing can be deleted here, and the page says why.
    expect(page.locator("#history")).to_contain_text("token with the role control")

    # A trip is shown on the map and by the cursor.
    day.locator("li.trip").first.get_by_role("button").first.click()
    expect(page.locator(".where")).to_contain_text("2026-01-05 14:")
    places = page.locator(".place-marker")
    expect(places.first).to_be_visible()
    assert places.first.get_attribute("aria-label").startswith("ferry: 1 visit")
    page.get_by_role("button", name="Map", exact=True).click()
    expect(places).to_have_count(3)
    places.last.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".popup")).to_contain_text("1 visit")
    page.keyboard.press("Escape")

    # Lines by speed and mode, with a key; the address carries the choice.
    page.get_by_label("Colour lines by").select_option("speed")
    expect(page.locator(".speed-key")).to_contain_text("km/h")
    page.wait_for_function("() => location.search.includes('colour=speed')")
    page.get_by_label("Colour lines by").select_option("mode")
    expect(page.locator(".speed-key")).to_contain_text("at home or night")
    expect(page.locator(".leaflet-control-scale-line")).to_contain_text("m")

    # Distances in other units.
    page.get_by_role("button", name="Options").click()
    page.get_by_label("Units").select_option("nautical")
    page.keyboard.press("Escape")
    expect(page.locator(".devices .length")).to_contain_text("NM")
    page.get_by_role("button", name="History", exact=True).click()
    expect(day.locator("h3")).to_contain_text(" NM")

    # Only the time of a trip; its bars and records follow.
    day.locator("li.trip").first.get_by_role("button", name="Only the time of").click()
    page.wait_for_function("() => location.search.includes('since=')")
    expect(page.locator("#history .day li.trip")).to_have_count(1)
    for width in (375, 1440):
        for scheme in ("light", "dark"):
            other = browser.page("?tab=history&zone=utc", width=width, color_scheme=scheme)
            expect(other.locator("#history .day").first).to_be_visible()
            check(other, f"history {width} {scheme}")
            other.context.close()
