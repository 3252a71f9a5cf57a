"""Raster tiles of an MBTiles file lie below the tracks, with names of towns from a geocoder's database."""

import os
import sqlite3
import struct
import subprocess
import zlib

from playwright.sync_api import expect

import gpx


def run(server, browser):
    track = os.path.join(server.directory, "ferry.gpx")
    gpx.track(track, gpx.day())
    tiles = os.path.join(server.directory, "map.mbtiles")
    database = sqlite3.connect(tiles)
    database.executescript("""
        CREATE TABLE metadata (name TEXT, value TEXT);
        CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
    """)
    database.executemany("INSERT INTO metadata VALUES (?, ?)", [
        ("format", "png"), ("name", "test"), ("attribution", "<b>ours</b><img src=x onerror='window.hacked = true'>"),
        # Nothing of a file may end the program.
        (None, 5), (b"\xff\x00", 1.5), ("bounds", b"\xff"),
    ])
    database.executemany("INSERT INTO tiles VALUES (?, ?, ?, ?)", [(2, 0, 0, None), (2, 1, 0, "text"), (2, 2, 0, bytes(5 << 20))])
    # Rows count from the south: that of the north is 1.
    database.executemany("INSERT INTO tiles VALUES (1, ?, ?, ?)", [
        (column, row, png(200 if row == 1 else 40)) for column in (0, 1) for row in (0, 1)
    ])
    database.commit()
    database.close()
    os.environ["TAFFRAIL_GEOCODER"] = towns(server)
    server.view(track, "--tiles", tiles)
    page = browser.page("?tab=map&map=1/0/0&zone=utc", allowed=["404 (Not Found)"])
    shown = page.locator(".leaflet-tile-loaded")
    expect(shown.first).to_be_visible()
    assert page.evaluate("""async () => {
        const bitmap = await createImageBitmap(await (await fetch('/tiles/1/0/0')).blob())
        const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')
        canvas.drawImage(bitmap, 0, 0)
        return canvas.getImageData(0, 0, 1, 1).data[0]
    }""") == 200, "north is south"
    expect(page.locator(".leaflet-control-attribution")).to_contain_text("<b>ours</b>")
    assert page.evaluate("window.hacked") is None
    for path in ("/tiles/1/0/2", "/tiles/9/0/0", "/tiles/1/0", "/tiles/1/-1/0", "/tiles/2/0/3", "/tiles/2/2/3", "/tiles/99999999999999999999/0/0"):
        assert page.evaluate(f"async () => (await fetch('{path}', {{method: 'HEAD'}})).status") == 404, path

    # The largest first, none over another one, and on the copy of the world that is seen.
    names = page.locator(".town")
    expect(names).to_have_text(["<b>Midway</b>", "Turn", "Beyond", "East", "Far"])
    expect(page.locator(".leaflet-control-attribution")).to_contain_text("Made up for a test")
    page.goto(f"{server.url}?tab=map&map=8/-17/539.5&zone=utc")
    expect(names).to_have_text(["Turn", "Beyond"])

    wrong = subprocess.run([server.taffrail, "view", track, "--tiles", track], capture_output=True, text=True, check=False)
    assert wrong.returncode == 65 and "MBTiles" in wrong.stderr, wrong


def towns(server):
    """A geocoder's database of a few towns."""
    places = os.path.join(server.directory, "places.txt")
    with open(places, "w", encoding="utf-8") as file:
        for number, (name, latitude, longitude, people) in enumerate([
            ("Hidden", 0.1, 0.1, 10), ("<b>Midway</b>", 0, 0, 500_000), ("East", 20, 40, 20),
            ("Turn", -17, 179.6, 5_000), ("Beyond", -16.9, -179.9, 400), ("Far", 60, 100, 0),
        ]):
            fields = [number, name, name, "", latitude, longitude, "P", "PPL", "FJ", "", "", "", "", "", people, "", 0, "UTC", "2026-01-01"]
            file.write("\t".join(map(str, fields)) + "\n")
    notes = os.path.join(server.directory, "notes.txt")
    with open(notes, "w", encoding="utf-8") as file:
        file.write("Made up for a test\nand not shown\n")
    database = os.path.join(server.directory, "geocoder.db")
    subprocess.run(
        [server.taffrail, "geocoder", "build", "--places", places, "--notes", notes, "-o", database],
        check=True, capture_output=True)
    return database


def png(grey):
    """A grey picture of 256 pixels."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    lines = b"".join(b"\0" + bytes([grey]) * 256 for _ in range(256))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 256, 256, 8, 0, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b""))
