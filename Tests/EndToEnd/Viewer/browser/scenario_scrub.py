"""Moving the cursor over a track of 10,700 points draws no line and no chart again, and asks once a frame at most."""

import os

from playwright.sync_api import expect

import gpx
from browser import check_tasks, watch_tasks

COUNT = 10_700


def run(server, browser):
    track = os.path.join(server.directory, "ferry.gpx")
    gpx.track(track, gpx.circle(COUNT, side=0.001))
    server.view(track)
    page = browser.page("?zone=utc&charts=1")
    expect(page.locator("#charts .chart")).to_have_count(2)
    expect(page.locator(".devices .length")).to_contain_text("km")
    page.wait_for_function("() => document.querySelectorAll('#map canvas').length >= 2")
    slider = page.get_by_label("Time", exact=True)
    # What is loaded and drawn at first.
    slider.focus()
    page.keyboard.press("Home")
    expect(page.locator(".where")).to_contain_text("2026-01-05 14:00:00")
    page.evaluate("""async () => {
        let quiet = 0
        const { stroke } = CanvasRenderingContext2D.prototype
        CanvasRenderingContext2D.prototype.stroke = function (...values) {
            window.strokes += 1
            quiet = 0
            return stroke.apply(this, values)
        }
        while (quiet < 100) {
            await new Promise(requestAnimationFrame)
            quiet += 1
        }
        window.strokes = 0
    }""")
    watch_tasks(page)
    box = slider.bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 10, middle)
    page.mouse.down()
    before = page.locator(".where").text_content()
    for step in range(120):
        page.mouse.move(box["x"] + 10 + (box["width"] - 20) * step / 120, middle)
    page.mouse.up()
    expect(page.locator(".where")).not_to_have_text(before)
    expect(page.locator("#records .row.cursor")).to_be_in_viewport()
    expect(page.locator("#charts .chart-mark").first).to_be_visible()
    assert page.evaluate("window.strokes") == 0, "lines are drawn again"
    check_tasks(page, "scrubbing")

    # How long the track takes to draw again: clearing, making its lines, and the canvas of the next frame.
    print("10,700 points drawn, ms:", page.evaluate("""async () => {
        const { Tracks } = await import('/viewer/tracks.js')
        const { drawn } = await new Promise((resolve) => {
            const { draw } = Tracks.prototype
            Tracks.prototype.draw = function () {
                const start = performance.now()
                draw.call(this)
                requestAnimationFrame(() => setTimeout(() => resolve({ drawn: performance.now() - start })))
            }
            document.querySelector('#map select').value = 'speed'
            document.querySelector('#map select').dispatchEvent(new Event('change'))
        })
        return Math.round(drawn)
    }"""))

    # Many moves within a frame are one change.
    changes = page.evaluate("""async () => {
        const { cursor } = await import('/viewer/cursor.js')
        let changes = 0
        cursor.addEventListener('change', () => changes += 1)
        for (let step = 0; step < 100; step++) cursor.set(cursor.time - 1000, null)
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
        return changes
    }""")
    assert changes == 1, changes
