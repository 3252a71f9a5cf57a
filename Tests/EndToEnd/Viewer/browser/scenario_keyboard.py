"""Everything can be done by keys alone."""

from playwright.sync_api import expect

import records


def run(server, browser):
    server.log(records.lines(400))
    page = browser.page("?tab=logs", reduced_motion="reduce")
    expect(page.locator("#row-0")).to_be_visible()
    press = page.keyboard.press

    press("/")
    page.keyboard.type("level:error")
    press("Enter")
    expect(page.locator(".total")).to_have_text("57 records")
    expect(page.locator("#row-0")).to_contain_text("record 398")
    press("Escape")
    press("j")
    press("ArrowDown")
    expect(page.locator("#records [aria-selected=true]")).to_contain_text("record 398")
    press("ArrowDown")
    press("Shift+ArrowDown")
    expect(page.locator("#records [aria-selected=true]")).to_have_count(2)
    active = page.locator("#records").get_attribute("aria-activedescendant")
    assert page.locator(f"#{active}").get_attribute("aria-selected") == "true"
    press("End")
    # A locator that finds two is an error at once.
    expect(page.locator("#records [aria-selected=true]")).to_have_count(1)
    expect(page.locator("#records [aria-selected=true]")).to_contain_text("record 6")
    expect(page.locator("#detail pre")).to_have_text("record 6")
    press("Escape")
    expect(page.locator("#detail")).to_be_hidden()

    press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    press("m")
    expect(page.locator("#map")).to_be_visible()
    expect(page.locator("#logs")).to_be_hidden()
    press("l")
    press("o")
    page.get_by_label("Times").select_option("utc")
    press("Escape")
    page.wait_for_function("() => location.search.includes('zone=utc')")
    press("p")
    expect(page.locator("#live")).to_have_attribute("aria-pressed", "false")

    # Every control is reached by Tab, and shows that it has the focus.
    page.evaluate("document.activeElement.blur()")
    seen = set()
    for _ in range(80):
        press("Tab")
        focused = page.evaluate("""() => {
            const { activeElement: one } = document
            // After the last one, the browser's own controls.
            if (one === document.body) return ['', 'none']
            return [one.id || one.textContent || one.getAttribute('aria-label'), getComputedStyle(one).outlineStyle]
        }""")
        seen.add(focused[0])
        assert focused[0] == "" or focused[1] != "none", f"{focused[0]} does not show its focus"
    assert {"query", "range", "live", "menu", "records", "Copy", "Export"} <= seen, seen
