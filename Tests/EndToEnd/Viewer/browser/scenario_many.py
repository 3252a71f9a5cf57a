"""Records and positions of 24 h; in the long form of the tests a million records, without a stall while they are scrolled."""

import json
import os

from playwright.sync_api import expect

import gpx
import records

LONG = "TAFFRAIL_SOAK" in os.environ
COUNT = 1_000_000 if LONG else 20_000


def run(server, browser):
    log = os.path.join(server.directory, "day.ndjson")
    step = 86_400 / COUNT
    with open(log, "w", encoding="utf-8") as file:
        for number in range(COUNT):
            file.write(json.dumps({
                "time": records.time(number * step), "level": records.LEVELS[number % 7], "logger": "net", "message": f"record {number}",
            }) + "\n")
    track = os.path.join(server.directory, "ferry.gpx")
    gpx.track(track, gpx.circle(86_400 if LONG else 8_640, 1 if LONG else 10))
    server.view(log, track, limit=600)
    page = browser.page("?zone=utc&q=logger%3Dnet&tab=both")
    expect(page.locator(".total")).to_have_text(f"{COUNT:,} records")
    expect(page.locator("#row-0")).to_contain_text(f"record {COUNT - 1}")
    expect(page.locator(".axis span").first).to_have_text("14:00")
    expect(page.locator(".devices .length")).to_contain_text("km")
    page.evaluate("""() => {
        window.long = []
        new PerformanceObserver((list) => window.long.push(...list.getEntries().map((one) => one.duration))).observe({ type: 'longtask' })
    }""")
    # Page by page, as far as a wheel goes.
    page.mouse.move(*page.evaluate("""() => {
        const box = document.getElementById('records').getBoundingClientRect()
        return [box.x + box.width / 2, box.y + box.height / 2]
    }"""))
    for _ in range(60):
        page.mouse.wheel(0, 1500)
    page.wait_for_function("() => document.getElementById('records').scrollTop > 20000")
    page.wait_for_function("""() => [...document.querySelectorAll('#records .row .message')].every((one) => one.textContent.startsWith('record '))""")
    seen = page.evaluate("""() => [...document.querySelectorAll('#records .row')].sort((left, right) => left.dataset.index - right.dataset.index)
        .map((row) => Number(row.querySelector('.message').textContent.slice(7)))""")
    assert seen == list(range(seen[0], seen[0] - len(seen), -1)), seen
    print("longest task, ms:", max(page.evaluate("window.long"), default=0))
    if LONG:
        assert all(duration <= 50 for duration in page.evaluate("window.long")), page.evaluate("window.long")

    # To any time of the day.
    slider = page.get_by_label("Time", exact=True)
    slider.focus()
    page.keyboard.press("Home")
    expect(page.locator("#records .row.cursor .message")).to_have_text("record 0")
    expect(page.locator("#records .row.cursor")).to_be_in_viewport()
