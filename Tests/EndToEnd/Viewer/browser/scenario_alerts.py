"""The control pane shows the rules of alerts and what is raised, which is announced; the map shows the places of the configuration."""

import os
import signal

from playwright.sync_api import expect

import records
from scenario_accessible import check
from server import eventually

CONFIGURATION = """
places:
  - { name: <harbour>, latitude: 55.68, longitude: 12.57, radius: 300 }
  - { name: home, latitude: 55.69, longitude: 12.58, radius: 200 }
plugins:
  alerts:
    rules:
      - { name: errors, query: "level>=error", threshold: 3, window: 1h, by: device }
      - { name: quiet, query: "logger:beacon", silence: 1s }
"""


def run(server, browser):
    server.end(signal.SIGTERM)
    path = os.path.join(server.directory, "alerts.yaml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(CONFIGURATION)
    server.options = ["--config", path]
    server.start()
    server.log(records.lines(5))
    server.move(records.drive("ferry", 100))
    # What was raised before is no news.
    eventually(lambda: any(rule["raised"] for rule in server.request("GET", "/api/alerts")["alerts"]))
    page = browser.page("?tab=control&zone=utc")
    alerts = page.locator("#alerts")
    rules = alerts.locator(".alerts > li")
    expect(rules).to_have_count(2)
    expect(rules.first).to_contain_text("ok errors")
    expect(rules.first).to_contain_text("3 records in 1 h")
    expect(rules.last).to_contain_text("silent quiet")
    expect(rules.last).to_contain_text("no record yet")
    expect(page.get_by_role("alert")).to_have_count(0)

    server.log([
        {"time": records.time(300 + number), "level": "error", "message": f"lost {number}", "attributes": {"device.id": "ferry"}}
        for number in range(4)
    ])
    alarm = page.get_by_role("alert")
    expect(alarm).to_contain_text("Alert: errors of ferry (3 records in 1 h)")
    expect(rules.first).to_contain_text("firing errors")
    expect(rules.first.locator("li")).to_contain_text("ferry: since ")
    expect(rules.first.locator("li")).to_contain_text("4 now, last record ")
    for width in (375, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        check(page, f"alerts {width}")
    # Its records, of the device.
    link = rules.first.get_by_role("link", name="Records of ferry")
    assert "q=" in link.get_attribute("href")
    link.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_label("Filter", exact=True)).to_have_value("level>=error device:ferry")
    expect(page.locator(".total")).to_have_text("4 records")
    expect(page.locator("#records")).to_be_visible()
    alarm.get_by_role("button", name="Dismiss").click()
    expect(page.get_by_role("alert")).to_have_count(0)

    # The places, but not the home: this browser may not control.
    page.get_by_role("button", name="Both", exact=True).click()
    places = page.locator(".place-marker:has(.named)")
    expect(places).to_have_count(1)
    expect(places).to_have_attribute("aria-label", "Place <harbour>, radius 300 m")
    places.focus()
    page.keyboard.press("Enter")
    # By the key: the map may still be moving below the pointer.
    page.get_by_role("button", name="Records near it").press("Enter")
    expect(page.get_by_label("Filter", exact=True)).to_have_value("level>=error device:ferry near:55.68000,12.57000,300m")

    # Without the sink there is no such section, and nothing is asked for.
    page.context.close()
    server.end(signal.SIGTERM)
    server.options = []
    server.start()
    other = browser.page("?tab=control")
    expect(other.locator("#control")).to_contain_text("Positions")
    expect(other.locator("#row-0")).to_have_count(1)
    expect(other.locator("#alerts")).to_be_hidden()
