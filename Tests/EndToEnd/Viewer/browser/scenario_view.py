"""`taffrail view` shows recordings, tracks and logs without a daemon, and leaves nothing behind."""

import glob
import http.client
import json
import os
import signal
import subprocess

from playwright.sync_api import expect

import gpx
import records
from browser import record


def run(server, browser):
    track = os.path.join(server.directory, "ferry.gpx")
    gpx.track(track, gpx.day())
    log = os.path.join(server.directory, "app.log")
    with open(log, "w", encoding="utf-8") as file:
        file.write("[2026-01-05 14:20:00.000] [WARNING] <script>window.hacked = true</script> pier=3\n")
        file.write(json.dumps({"time": records.time(1300), "level": "error", "message": "from json", "logger": "net"}) + "\n")
    recording = os.path.join(server.directory, "drive.json")
    subprocess.run([server.taffrail, "convert", track, recording], check=True, capture_output=True)
    temporary = os.path.join(server.directory, "tmp")
    os.mkdir(temporary)
    os.environ["TMPDIR"] = temporary
    server.view(track, log, recording)
    assert len(glob.glob(temporary + "/taffrail-*")) == 1

    page = browser.page("?zone=utc")
    expect(page.locator(".devices li")).to_have_count(2)
    expect(page.locator(".devices")).to_contain_text("drive")
    expect(page.locator(".devices")).to_contain_text("ferry")
    expect(page.locator(".lane")).to_have_count(2)
    page.get_by_label("Filter", exact=True).fill("level>=warning")
    page.keyboard.press("Enter")
    expect(page.locator(".total")).to_have_text("2 records")
    expect(record(page, "<script>window.hacked = true</script>")).to_be_visible()
    record(page, "from json").click()
    expect(page.locator("#detail")).to_contain_text("net")
    assert page.evaluate("window.hacked") is None

    # Nothing can be sent.
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    connection.request("POST", "/logs", b'{"message":"no"}')
    assert connection.getresponse().status == 403
    connection.close()

    page.context.close()
    server.end(signal.SIGINT)
    assert server.process.returncode == 0, server.process.returncode
    assert os.listdir(temporary) == []

    phone = os.path.join(server.directory, "phone.rec")
    with open(phone, "w", encoding="utf-8") as file:
        for latitude in (55, 95):
            position = {"_type": "location", "lat": latitude, "lon": 12, "tst": 1767623400}
            file.write(f"2026-01-05T14:30:00Z\t*                 \t{json.dumps(position)}\n")
    missing = subprocess.run([server.taffrail, "view", phone, "none.gpx"], capture_output=True, text=True, check=False)
    assert missing.returncode == 66 and "none.gpx" in missing.stderr, missing
    assert "phone.rec: 1 position could not be read" in missing.stderr, missing
    assert os.listdir(temporary) == []
    server.start()
