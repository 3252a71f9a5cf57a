"""axe-core finds nothing, light and dark, narrow and wide; nothing is wider than the screen."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

import records


def run(server, browser):
    server.log(records.lines(400))
    server.move(records.drive("ferry", 100))
    for width in (375, 1440):
        for scheme in ("light", "dark"):
            page = browser.page("?tab=both", width=width, color_scheme=scheme)
            expect(page.locator(".marker")).to_have_count(1)
            expect(page.locator("#row-0")).to_be_visible()
            check(page, f"{width} {scheme}")
            page.locator("#row-0").click()
            expect(page.locator("#detail")).to_be_visible()
            check(page, f"{width} {scheme} record")
            page.get_by_role("button", name="Close the record").click()
            page.get_by_role("button", name="Options").click()
            check(page, f"{width} {scheme} options")
            page.context.close()


def check(page, what):
    found = Axe().run(page)
    problems = [
        f"{one['id']}: {one['help']}: {[node['target'] for node in one['nodes']][:3]} {[node.get('failureSummary') for node in one['nodes']][:1]}"
        for one in found.response["violations"]
    ]
    assert not problems, what + ":\n" + "\n".join(problems)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{what}: wider than the screen"
