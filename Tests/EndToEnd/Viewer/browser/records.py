"""Records and positions to look at."""

import datetime
import math

START = datetime.datetime(2026, 1, 5, 14, 0, tzinfo=datetime.timezone.utc)
LEVELS = ["info", "info", "info", "debug", "notice", "warning", "error"]
LOGGERS = ["net", "net.http", "engine"]


def time(seconds):
    """A time after the start, as records have it."""
    return (START + datetime.timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def lines(count, start=0, step=1.0):
    """Records, one every `step` seconds."""
    return [
        {
            "time": time(start + number * step), "level": LEVELS[number % len(LEVELS)], "logger": LOGGERS[number % len(LOGGERS)],
            "message": f"record {number}", "attributes": {"number": number, "status": 500 if number % 7 == 6 else 200},
        }
        for number in range(count)
    ]


def drive(device, count, latitude=55.68, longitude=12.57, start=0, step=1.0):
    """Positions of a device that goes around a place, one every `step` seconds."""
    found = []
    for number in range(count):
        angle = number / 60
        found.append({
            "type": "Feature",
            "geometry": {"type": "Point", "coordinates": [longitude + 0.02 * math.sin(angle), latitude + 0.01 * math.cos(angle)]},
            "properties": {
                "timestamp": time(start + number * step), "device_id": device, "horizontal_accuracy": 25, "altitude": 12 + number % 5,
                "battery_level": 0.8, "speed": 5 + 4 * math.sin(angle),
            },
        })
    return found


HOSTILE = [
    "<script>window.hacked = true</script><img src=x onerror='window.hacked = true'>",
    "שלום עולם ‮ reversed, مرحبا بالعالم",
    "🚢⚓️👩‍👩‍👧‍👦 emoji, z̸̡͎a̴l̸g̵o̶ and ￿ ",
    "two\nlines\tand\r\na tab \u2028 separator",
    "\u0000\u0001 controls \u001b[31m",
    "x" * 1_000_000,
]
