"""Trips are merged into a route, which is cut, simplified and saved as GPX and as a recording."""

import os
import subprocess

from playwright.sync_api import expect

import gpx
from scenario_accessible import check


def run(server, browser):
    track = os.path.join(server.directory, "<ferry>.gpx")
    gpx.track(track, gpx.day())
    server.view(track)
    page = browser.page("?zone=utc&tab=history")
    boxes = page.get_by_role("checkbox", name="Part of the route")
    expect(boxes).to_have_count(2)
    for box in (boxes.first, boxes.last):
        box.focus()
        page.keyboard.press("Space")
    route = page.locator(".route")
    expect(route).to_contain_text("2 trips")
    check(page, "route")
    points = number(route)
    assert points > 200, points

    # The second trip is cut at its start: what is before remains.
    page.locator("#history li.trip").last.get_by_role("button").first.click()
    route.get_by_role("button", name="End at cursor").click()
    expect(route).to_contain_text(", to 16:")
    assert number(route) < points
    # A straight way has two points.
    route.get_by_label("Simplify").select_option("20")
    expect(route).to_contain_text("3 of")
    assert length(server, save(page, server, "Save GPX", "route.gpx")) == 3
    route.get_by_label("Simplify").select_option("0")
    route.get_by_role("button", name="Reset range").click()
    expect(route).to_contain_text(f"{points} of")
    assert length(server, save(page, server, "Save recording", "route.json")) == points
    assert length(server, save(page, server, "Save GPX", "whole.gpx")) == points
    with open(os.path.join(server.directory, "whole.gpx"), encoding="utf-8") as file:
        assert "<name>&lt;ferry&gt;</name>" in file.read()
    route.get_by_role("button", name="None").click()
    expect(route).to_be_hidden()
    expect(page.get_by_role("checkbox", checked=True)).to_have_count(0)


def number(route):
    """How many points would be saved."""
    return int(route.get_by_role("status").text_content().split(" of ")[0].split(", ")[-1].replace(",", ""))


def save(page, server, name, file):
    path = os.path.join(server.directory, file)
    with page.expect_download() as download:
        page.get_by_role("button", name=name).click()
    download.value.save_as(path)
    return path


def length(server, path):
    """How many positions the command reads in a file."""
    out = path + ".csv"
    subprocess.run([server.taffrail, "convert", path, out], check=True, capture_output=True)
    with open(out, encoding="utf-8") as file:
        return len(file.read().splitlines()) - 1
