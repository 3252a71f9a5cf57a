#!/usr/bin/env python3
"""The adaptive ping policy, written from its description and not from the Swift code, to compare decisions.

Reads JSON lines: first the settings, then a fix a line. Prints a line for each fix: mode, reason, and the time of the
position that is sent, in nanoseconds, or "-".
"""
import datetime
import json
import math
import sys
import zoneinfo


def vincenty(a, b):
    """The distance in metres on the WGS84 ellipsoid between two (latitude, longitude) in degrees."""
    if a == b:
        return 0.0
    major, flattening = 6378137.0, 1 / 298.257223563
    minor = major * (1 - flattening)
    east = math.radians(b[1] - a[1])
    u1 = math.atan((1 - flattening) * math.tan(math.radians(a[0])))
    u2 = math.atan((1 - flattening) * math.tan(math.radians(b[0])))
    s1, c1, s2, c2 = math.sin(u1), math.cos(u1), math.sin(u2), math.cos(u2)
    on_sphere = east
    for _ in range(200):
        sin_l, cos_l = math.sin(on_sphere), math.cos(on_sphere)
        sin_s = math.hypot(c2 * sin_l, c1 * s2 - s1 * c2 * cos_l)
        if sin_s == 0:
            return 0.0
        cos_s = s1 * s2 + c1 * c2 * cos_l
        angle = math.atan2(sin_s, cos_s)
        sin_a = c1 * c2 * sin_l / sin_s
        cos2_a = 1 - sin_a * sin_a
        cos_2m = cos_s - 2 * s1 * s2 / cos2_a if cos2_a else 0.0
        c = flattening / 16 * cos2_a * (4 + flattening * (4 - 3 * cos2_a))
        before = on_sphere
        on_sphere = east + (1 - c) * flattening * sin_a * (
            angle + c * sin_s * (cos_2m + c * cos_s * (2 * cos_2m * cos_2m - 1)))
        if abs(on_sphere - before) < 1e-13:
            break
    usq = cos2_a * (major * major - minor * minor) / (minor * minor)
    big_a = 1 + usq / 16384 * (4096 + usq * (-768 + usq * (320 - 175 * usq)))
    big_b = usq / 1024 * (256 + usq * (-128 + usq * (74 - 47 * usq)))
    delta = big_b * sin_s * (cos_2m + big_b / 4 * (
        cos_s * (2 * cos_2m ** 2 - 1)
        - big_b / 6 * cos_2m * (4 * sin_s ** 2 - 3) * (4 * cos_2m ** 2 - 3)))
    return minor * big_a * (angle - delta)


class Policy:
    def __init__(self, settings):
        self.s = settings
        self.zone = zoneinfo.ZoneInfo(settings["zone"]) if settings.get("night") else None
        self.mode = "stationaryDay"
        self.moving = self.at_home = False
        self.slow_since = self.reference = self.guess = None
        self.seen = self.sent = self.counted_from = self.alive = None

    def speed(self, fix):
        here = (fix["t"], (fix["lat"], fix["lon"]), fix["acc"] or 0.0)
        if fix["speed"] is not None:
            self.reference, self.guess = here, None
            return fix["speed"]
        if self.reference is None:
            self.reference = here
            return None
        elapsed = (here[0] - self.reference[0]) / 1e9
        if elapsed >= 10:
            length = vincenty(self.reference[1], here[1])
            if length > max(self.reference[2], here[2]):
                self.guess, self.reference = length / elapsed, here
            else:
                self.guess = 0.0
                if elapsed >= 60:
                    self.reference = here
        return self.guess

    def motion(self, fix):
        if self.seen is not None and fix["t"] - self.seen > 600e9:
            self.moving, self.slow_since, self.reference, self.guess = False, None, None, None
        speed = self.speed(fix)
        if speed is None:
            return
        if not self.moving:
            self.moving = speed >= self.s["moving_speed"]
            self.slow_since = None
        elif speed >= self.s["stopped_speed"]:
            self.slow_since = None
        else:
            if self.slow_since is None:
                self.slow_since = fix["t"]
            if (fix["t"] - self.slow_since) / 1e9 >= self.s["stopped_after"]:
                self.moving, self.slow_since = False, None

    def night(self, nanoseconds):
        if not self.s.get("night"):
            return False
        start, end = self.s["night"]
        now = datetime.datetime.fromtimestamp(nanoseconds // 1000000000, self.zone)
        minute = now.hour * 60 + now.minute
        return start <= minute < end if start <= end else not end <= minute < start

    def take(self, fix):
        if fix["simulated"] and not self.s["simulated"]:
            return "simulated", None
        if self.seen is not None and fix["t"] < self.seen:
            if self.seen - fix["t"] <= 60e9:
                return "late", None
            # The clock was set back: measure from here on.
            self.moving, self.slow_since, self.reference, self.guess = False, None, None, None
            if self.counted_from is not None:
                self.counted_from = self.alive = fix["t"]
        self.motion(fix)
        self.seen = fix["t"]
        if self.s.get("home"):
            reach = self.s["home_radius"] + (self.s["home_hysteresis"] if self.at_home else 0)
            self.at_home = vincenty(tuple(self.s["home"]), (fix["lat"], fix["lon"])) <= reach
        if self.moving:
            self.mode = "moving"
        elif self.at_home or self.night(fix["t"]):
            self.mode = "homeOrNight"
        else:
            self.mode = "stationaryDay"
        interval, distance = self.s[self.mode]
        low = self.s.get("low_battery")
        level = fix.get("battery")
        if low is not None and level is not None and level < low and not fix.get("charging"):
            interval *= 2
        if fix["acc"] is None:
            reason = "no_accuracy"
        elif self.sent is None:
            reason = "first"
        elif (fix["t"] - self.counted_from) / 1e9 < interval:
            reason = "interval"
        elif vincenty((self.sent["lat"], self.sent["lon"]), (fix["lat"], fix["lon"])) < distance:
            reason = "distance"
        else:
            reason = "due"
        if reason in ("first", "due"):
            self.sent, self.counted_from, self.alive = fix, fix["t"], fix["t"]
            return reason, fix
        beat = self.s.get("heartbeat")
        if beat is not None and self.sent is not None and (fix["t"] - self.alive) / 1e9 >= beat:
            self.alive = fix["t"]
            return "heartbeat", self.sent
        return reason, None


def main():
    policy = Policy(json.loads(sys.stdin.readline()))
    for line in sys.stdin:
        reason, sent = policy.take(json.loads(line))
        print(policy.mode, reason, sent["t"] if sent else "-")


main()
