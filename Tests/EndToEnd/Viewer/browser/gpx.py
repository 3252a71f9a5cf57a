"""Tracks as GPX files."""

import math

import records

METRES = 111_195


def track(path, points):
    """Writes points of seconds after the start, latitude and longitude."""
    with open(path, "w", encoding="utf-8") as file:
        file.write('<gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>\n')
        for seconds, latitude, longitude in points:
            file.write(f'<trkpt lat="{latitude:.7f}" lon="{longitude:.7f}"><time>{records.time(seconds)}</time><speed>5</speed></trkpt>\n')
        file.write("</trkseg></trk></gpx>\n")


def stay(start, length, latitude, longitude=12.57):
    return [(start + second, latitude, longitude) for second in range(0, length, 10)]


def drive(start, length, latitude, longitude=12.57, speed=10):
    """A way to the north."""
    return [(start + second, latitude + second * speed / METRES, longitude) for second in range(0, length, 5)]


def day():
    """Three visits and two trips, with two hours without a fix before the second one."""
    first, second, third, last = 55.60, 55.60 + 6000 / METRES, 55.70, 55.70 + 6000 / METRES
    return [
        *stay(0, 600, first), *drive(600, 600, first), *stay(1200, 600, second),
        *drive(9000, 600, third), *stay(9600, 601, last),
    ]


def circle(count, step=1.0, side=0.0):
    """A drive around a place, in many points; `side`: how far each other one is off, in degrees, so that none can be left out."""
    return [
        (number * step, 55.68 + 0.01 * math.cos(number / 60) + 1e-6 * number + side * (number % 2), 12.57 + 0.02 * math.sin(number / 60))
        for number in range(count)
    ]
