"""A token that may control: the home, the pinger, the control of a replay, and deletions that ask."""

import os
import signal
import subprocess
import time

from playwright.sync_api import expect

import gpx
from scenario_accessible import check
from server import eventually

CONFIGURATION = """
places:
  - {{ name: harbour, latitude: 55.6, longitude: 12.5, radius: 300 }}
  - {{ name: cottage, latitude: 55.68, longitude: 12.57, radius: 5000 }}
plugins:
  receiver:
    bind: 127.0.0.1:{port}
    token_file: {data}/tokens
    log_store: {data}/logs.sqlite
    location_store: {data}/track.sqlite
  log-store: {{ path: {data}/logs.sqlite, device: ferry }}
  location-store: {{ path: {data}/track.sqlite, device: ferry }}
  file: {{ path: {data}/app.log, format: json }}
  geo-replay: {{ file: {data}/drive.json, time: now, loop: true }}
  pinger: {{ endpoint: "http://127.0.0.1:9/ping", device_id: ferry }}
"""


def run(server, browser):
    server.end(signal.SIGTERM)
    data = os.path.join(server.directory, "controlled")
    os.mkdir(data)
    gpx.track(os.path.join(data, "drive.gpx"), gpx.circle(1200))
    # Whose length is known.
    subprocess.run([server.taffrail, "convert", data + "/drive.gpx", data + "/drive.json"], check=True, capture_output=True)
    # Two trips of an earlier day, by a device of its own: trips of the replay appear at a time that no test knows.
    gpx.track(os.path.join(data, "day.gpx"), gpx.day())
    subprocess.run([
        server.taffrail, "history", "import", data + "/day.gpx", "--device", "barge", "--store", data + "/track.sqlite",
    ], check=True, capture_output=True)
    with open(os.path.join(data, "tokens"), "w", encoding="utf-8") as file:
        file.write("the-master read control name=master\nthe-reader read name=reader\n")
    os.chmod(os.path.join(data, "tokens"), 0o600)
    path = os.path.join(data, "taffrail.yaml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(CONFIGURATION.format(port=server.port, data=data))
    server.command = ["run", "--config", path]
    server.start()
    server.token = "the-reader"
    eventually(lambda: server.count() > 2)

    page = log_in(browser, "the-master")
    pane = page.locator("#control")
    expect(pane.get_by_text("The last position of ferry is")).to_be_visible()
    expect(page.locator(".remote")).to_be_visible()
    check(page, "control")

    # What the ledger has is on the timeline.
    lose(os.path.join(data, ".taffrail", "ledger"), server.request("GET", "/api/records?limit=1")["records"][0]["run"], 7)
    page.reload()
    expect(page.locator(".lane[aria-label='Lost: 7 records']")).to_be_visible()
    expect(page.locator(".lane .loss title")).to_contain_text("reason full, sink file")

    # The home.
    pane.get_by_role("button", name="Set home to current location").click()
    expect(pane.get_by_role("status")).to_contain_text("The home is 55.6")
    expect(page.locator(".place.home")).to_be_visible()
    expect(page.locator(".place.named")).to_have_count(2)
    expect(pane.get_by_role("button", name="Set home to current location")).to_be_focused()

    # The pinger.
    expect(pane.locator(".facts").first).to_contain_text("running")
    pane.get_by_role("button", name="Stop", exact=True).click()
    expect(pane.locator(".facts").first).to_contain_text("stopped")
    pane.get_by_role("button", name="Start", exact=True).click()
    expect(pane.locator(".facts").first).to_contain_text("running")

    # The remote.
    page.get_by_role("button", name="Pause the replay geo-replay").click()
    expect(page.get_by_role("button", name="Play the replay geo-replay")).to_be_visible()
    page.get_by_label("Rate of the replay geo-replay").select_option("10")
    expect(pane.get_by_text("paused, ")).to_contain_text("10 ×")
    slider = page.get_by_label("Time of the replay geo-replay")
    slider.focus()
    page.keyboard.press("Home")
    expect(page.locator(".remote .where")).to_contain_text("0:00 of 19:59")
    expect(pane.get_by_text("paused, 0:00 of 19:59")).to_be_visible()
    page.get_by_role("button", name="Play the replay geo-replay").click()
    expect(page.locator(".remote .where")).not_to_contain_text("0:00 of")
    page.get_by_role("button", name="Pause the replay geo-replay").click()
    expect(page.get_by_role("button", name="Play the replay geo-replay")).to_be_visible()

    # One trip is deleted: its points are, and the rest is a period without a fix.
    page.get_by_role("button", name="History", exact=True).click()
    day = page.locator("#history .day").filter(has_text="2026-01-05")
    expect(day.locator("li.trip")).to_have_count(2)
    # The two hours.
    expect(day.locator("li.gap")).to_have_count(1)
    day.get_by_role("checkbox").first.check()
    expect(page.locator(".route")).to_contain_text("1 trip")
    delete = day.get_by_role("button", name="Delete the trip: barge, Trip, 2026-01-05").first
    delete.click()
    expect(page.get_by_role("button", name="Cancel")).to_be_focused()
    page.keyboard.press("Escape")
    before = positions(server)
    delete.click()
    expect(page.get_by_role("dialog")).to_contain_text("cannot be restored")
    page.get_by_role("dialog").get_by_role("button", name="Delete the trip").click()
    expect(page.locator("#history > .note")).to_contain_text(" deleted from location-store.")
    expect(day.locator("li.trip")).to_have_count(1)
    expect(day.locator("li.gap")).to_have_count(2)
    expect(day.locator("li.visit")).to_have_count(3)
    expect(page.locator(".route")).to_be_hidden()
    assert before - 130 < positions(server) < before - 100, (before, positions(server))

    # What is deleted is asked for first.
    store = page.locator("#history .store").filter(has_text="location-store")
    store.get_by_role("button", name="Delete all…").click()
    expect(page.get_by_role("button", name="Cancel")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert server.request("GET", "/api/tracks")["tracks"]
    store.get_by_role("button", name="Delete all…").click()
    check(page, "confirmation")
    page.get_by_role("button", name="Delete everything").click()
    eventually(lambda: server.request("GET", "/api/tracks")["tracks"] == [])
    expect(page.locator("#history").get_by_role("status")).to_contain_text("deleted from location-store")
    logs = page.locator("#history .store").filter(has_text="log-store")
    logs.get_by_label("Delete from log-store before").fill("2020-01-01")
    logs.get_by_role("button", name="Delete before…").click()
    page.get_by_role("button", name="Delete before 2020-01-01").click()
    expect(page.locator("#history").get_by_role("status")).to_have_text("0 deleted from log-store.")

    for scheme in ("light", "dark"):
        context = browser.context(width=375, color_scheme=scheme, storage_state=page.context.storage_state())
        other = browser.page("?tab=control", context=context)
        expect(other.locator("#control .facts").first).to_be_visible()
        check(other, f"control 375 {scheme}")
        context.close()

    # A reader sees what is needed.
    reader = log_in(browser, "the-reader")
    expect(reader.locator("#control")).to_contain_text("token with the role control")
    expect(reader.locator(".remote")).to_have_count(0)
    # Nor does the map show where the home is, or the place around it.
    expect(reader.locator(".place-marker:has(.named)")).to_have_attribute("aria-label", "Place harbour, radius 300 m")
    expect(reader.locator(".place.home")).to_have_count(0)


def positions(server):
    """How many positions the imported day has."""
    tracks = server.request("GET", "/api/tracks?until=2026-01-06&zoom=24")["tracks"]
    return sum(track["total"] for track in tracks)


def lose(ledger, run, count):
    """Adds an entry about lost records to a ledger."""
    line = f"d {run} {time.time_ns()} full - - {count} - file"
    crc = 0xFFFFFFFF
    for byte in line.encode():
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    with open(ledger, "a", encoding="utf-8") as file:
        file.write(f"{crc ^ 0xFFFFFFFF:08x} {line}\n")


def log_in(browser, token):
    page = browser.page("?tab=control", allowed=["401 (Unauthorized)"])
    page.get_by_label("Token").fill(token)
    page.get_by_role("button", name="Log in").click()
    expect(page.locator("#control")).to_be_visible()
    return page
