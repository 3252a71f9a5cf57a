"""Records and positions of 24 h: scrolled, filtered and scrubbed. In the long form of the tests a million records, without a stall.

What the page takes is printed. It is not asserted here: other programs may be busy.
"""

import json
import os
import time

from playwright.sync_api import expect

import gpx
import records
from browser import check_tasks, watch_tasks

LONG = "TAFFRAIL_SOAK" in os.environ
COUNT = 1_000_000 if LONG else 20_000
POSITIONS = 1_000_000 if LONG else 8_640


def run(server, browser):
    log = os.path.join(server.directory, "day.ndjson")
    step = 86_400 / COUNT
    with open(log, "w", encoding="utf-8") as file:
        for number in range(COUNT):
            file.write(json.dumps({
                "time": records.time(number * step), "level": records.LEVELS[number % 7], "logger": "net", "message": f"record {number}",
            }) + "\n")
    track = os.path.join(server.directory, "ferry.gpx")
    gpx.track(track, gpx.circle(POSITIONS, 86_400 / POSITIONS))
    server.view(log, track, limit=600)
    page = browser.page("?zone=utc&q=logger%3Dnet&tab=both")
    expect(page.locator(".total")).to_have_text(f"{COUNT:,} records")
    expect(page.locator("#row-0")).to_contain_text(f"record {COUNT - 1}")
    expect(page.locator(".axis span").first).to_have_text("14:00")
    expect(page.locator(".devices .length")).to_contain_text("km")
    print("first paint, ms:", page.evaluate("Math.round(performance.getEntriesByName('first-contentful-paint')[0].startTime)"))
    start = time.monotonic()
    tracks = server.request("GET", "/api/tracks?zoom=10")["tracks"]
    print(f"{POSITIONS:,} points simplified to {len(tracks[0]['points']):,}, ms:", round((time.monotonic() - start) * 1000))
    assert tracks[0]["total"] == POSITIONS and len(tracks[0]["points"]) <= 10_000, tracks[0]["total"]
    # The whole day, however many points it has.
    assert tracks[0]["points"][0]["time"].startswith("2026-01-05T14:00:00"), tracks[0]["points"][0]
    # What is loaded and drawn at first.
    page.wait_for_timeout(500)
    watch_tasks(page)
    # Page by page, as far as a wheel goes.
    page.mouse.move(*page.evaluate("""() => {
        const box = document.getElementById('records').getBoundingClientRect()
        return [box.x + box.width / 2, box.y + box.height / 2]
    }"""))
    for _ in range(60):
        page.mouse.wheel(0, 1500)
    page.wait_for_function("() => document.getElementById('records').scrollTop > 20000")
    # Looked at and read at once: the list may still be moving.
    seen = page.wait_for_function("""() => {
        const messages = [...document.querySelectorAll('#records .row')].sort((left, right) => left.dataset.index - right.dataset.index)
            .map((row) => row.querySelector('.message').textContent)
        return messages.length > 0 && messages.every((one) => one.startsWith('record ')) && messages.map((one) => Number(one.slice(7)))
    }""").json_value()
    assert seen == list(range(seen[0], seen[0] - len(seen), -1)), seen
    check_tasks(page, "scrolling")

    # To any time of the day.
    slider = page.get_by_label("Time", exact=True)
    slider.focus()
    page.keyboard.press("Home")
    expect(page.locator("#records .row.cursor .message")).to_have_text("record 0")
    expect(page.locator("#records .row.cursor")).to_be_in_viewport()
    box = slider.bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 10, middle)
    page.mouse.down()
    for number in range(60):
        page.mouse.move(box["x"] + 10 + (box["width"] - 20) * number / 60, middle)
    page.mouse.up()
    expect(page.locator("#records .row.cursor")).to_be_in_viewport()
    check_tasks(page, "scrubbing")

    # A filter, and its end.
    query = page.get_by_label("Filter", exact=True)
    errors = sum(1 for number in range(COUNT) if records.LEVELS[number % 7] == "error")
    for text, total in (("logger=net level>=error", errors), ("logger=net", COUNT)):
        query.fill(text)
        query.press("Enter")
        expect(page.locator(".total")).to_have_text(f"{total:,} records", timeout=60_000)
    check_tasks(page, "filtering")
