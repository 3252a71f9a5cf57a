"""The map shows where devices are and were, and shares its time with the list."""

from playwright.sync_api import expect

import records
from browser import record
from server import eventually


def run(server, browser):
    server.log(records.lines(600))
    server.move(records.drive("ferry", 300) + records.drive("tender", 300, latitude=55.7, longitude=12.6, start=100))
    page = browser.page("?zone=utc")
    markers = page.locator(".marker")
    expect(markers).to_have_count(2)
    expect(page.locator(".devices li")).to_have_count(2)
    expect(page.locator(".devices li").first).to_contain_text("ferry")
    expect(page.locator(".devices li").first).to_contain_text("±25 m")
    expect(page.locator(".devices li").first.locator(".length")).to_contain_text("km")
    page.wait_for_function("() => document.querySelectorAll('#map canvas').length >= 2")
    eventually(lambda: painted(page) > 500)

    # A record's time is a place.
    page.get_by_role("button", name="Logs", exact=True).click()
    page.get_by_role("button", name="Both", exact=True).click()
    record(page, "record 599").click()
    expect(page.locator(".where")).to_contain_text("14:09:59")
    page.get_by_role("button", name="Close the record").click()

    # A click on the track is a time, which the list shows.
    spot = page.evaluate("""async () => {
        const { tracks } = await (await fetch('/api/tracks?device=ferry')).json()
        return tracks[0].points[Math.floor(tracks[0].points.length / 2)]
    }""")
    place = page.evaluate("""([lat, lon]) => {
        const box = document.querySelector('.leaflet-container').getBoundingClientRect()
        const [zoom, latitude, longitude] = new URLSearchParams(location.search).get('map').split('/').map(Number)
        const y = (degrees) => Math.log(Math.tan(Math.PI / 4 + degrees * Math.PI / 360)) / (2 * Math.PI)
        const size = 256 * 2 ** zoom
        return [box.x + box.width / 2 + (lon - longitude) / 360 * size, box.y + box.height / 2 - (y(lat) - y(latitude)) * size]
    }""", [spot["lat"], spot["lon"]])
    page.mouse.click(*place)
    page.wait_for_function("""(wanted) => {
        const at = new URLSearchParams(location.search).get('at')
        return at && Math.abs(Date.parse(at) - Date.parse(wanted)) < 30000
    }""", arg=spot["time"])
    expect(page.locator("#records .row.cursor")).to_be_in_viewport()

    # A device: its records, and those near it.
    markers.first.click()
    # The map moves until all of the popup can be seen. A click begins and ends on the same button only where that stays.
    expect(page.locator(".leaflet-pan-anim")).to_have_count(0)
    page.get_by_role("button", name="Its records").click()
    expect(page.get_by_label("Filter", exact=True)).to_have_value("device:ferry")
    expect(page.locator(".total")).to_have_text("300 records")

    # It moves as positions arrive, and is followed.
    page.locator(".devices li").first.get_by_role("button", name="Follow ferry").click()
    before = page.url
    server.move(records.drive("ferry", 1, latitude=56.5, longitude=11, start=1000))
    page.wait_for_function("() => new URLSearchParams(location.search).get('map').includes('/56.5')")
    assert page.url != before

    # What moves the map while the tracks are on their way does not keep it from showing them.
    context = browser.context()
    context.add_init_script("""const immediate = window.fetch
        window.fetch = async (url, options) => {
            if (String(url).includes('/api/tracks')) await new Promise((resolve) => setTimeout(resolve, 2000))
            return immediate(url, options)
        }""")
    page = browser.page("?tab=map", context=context)
    page.locator(".leaflet-container").wait_for()
    page.set_viewport_size({"width": 1200, "height": 700})
    page.wait_for_function("() => Number(new URLSearchParams(location.search).get('map')?.split('/')[0]) > 5")

    # Without Leaflet the logs work, and the page names the package.
    context = browser.context()
    context.route("**/lib/leaflet/**", lambda route: route.fulfill(status=404, body="{}"))
    page = browser.page(context=context, allowed=["404 (Not Found)", "MIME type"])
    expect(page.locator(".map-note")).to_contain_text("libjs-leaflet")
    expect(page.locator("#row-0")).to_be_visible()


def painted(page):
    """How many pixels of the canvas of the tracks are not transparent."""
    return page.evaluate("""() => Math.max(...[...document.querySelectorAll('.leaflet-overlay-pane canvas')].map((canvas) => {
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
        let count = 0
        for (let index = 3; index < data.length; index += 4) if (data[index] > 0) count += 1
        return count
    }))""")
