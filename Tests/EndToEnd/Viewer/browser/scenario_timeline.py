"""The histogram zooms, and its cursor moves the list."""

from playwright.sync_api import expect

import records


def run(server, browser):
    server.log(records.lines(3600))
    page = browser.page("?tab=logs&zone=utc")
    expect(page.locator(".total")).to_have_text("3,600 records")
    plot = page.locator(".plot")
    expect(plot).to_have_attribute("aria-label", "3,600 records over time, 514 error, 514 warning")
    box = plot.bounding_box()

    # A click moves the cursor, and the list to its time.
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 20)
    expect(page.locator(".where")).to_contain_text("2026-01-05 14:")
    minute = page.locator(".where").text_content()[:16][-5:]
    expect(page.locator("#records .row.cursor .time")).to_contain_text(minute)
    expect(page.locator("#records .row.cursor")).to_be_in_viewport()

    # So does the slider.
    slider = page.get_by_label("Time", exact=True)
    slider.focus()
    page.keyboard.press("Home")
    expect(page.locator("#records .row.cursor .message")).to_have_text("record 0")
    assert slider.get_attribute("aria-valuetext").startswith("2026-01-05 14:00:00")

    # Dragging zooms; the list and the address follow.
    page.mouse.move(box["x"] + box["width"] * 0.25, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.4, box["y"] + 20)
    page.mouse.move(box["x"] + box["width"] * 0.5, box["y"] + 20)
    page.mouse.up()
    expect(page.locator(".total")).not_to_have_text("3,600 records")
    page.wait_for_function("""() => {
        const number = Number(document.querySelector('.total').textContent.replace(/\\D/g, ''))
        return number > 800 && number < 1000
    }""")
    assert "since=" in page.url and "until=" in page.url
    # Nothing arrives in a range that has an end.
    expect(page.locator("#live")).to_be_disabled()
    page.get_by_role("button", name="Zoom out").click()
    expect(page.locator(".total")).to_have_text("3,150 records")
    page.get_by_role("button", name="Zoom out").click()
    expect(page.locator(".total")).to_have_text("3,600 records")
