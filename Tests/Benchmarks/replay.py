#!/usr/bin/env python3
"""Measures replay and conversion of 1,000,000 points with the command itself, built for release.

Prints a table against the bars, and writes what was measured to .build-bench/replay.json. Only the standard library.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
MIB = 1024 * 1024


def gpx(path, count):
    """A track of a point a second, with what receivers tell."""
    with open(path, "w") as out:
        out.write('<?xml version="1.0" encoding="UTF-8"?>\n<gpx version="1.1" creator="bench" '
                  'xmlns="http://www.topografix.com/GPX/1/1">\n<trk><name>bench</name><trkseg>\n')
        begin = 1_767_225_600
        for index in range(count):
            moment = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(begin + index))
            out.write(f'<trkpt lat="{50 + index * 0.0000071:.7f}" lon="{8 + index * 0.0000113:.7f}">'
                      f'<ele>{100 + index % 500 * 0.1:.1f}</ele><time>{moment}</time><fix>3d</fix>'
                      f'<sat>{6 + index % 7}</sat><hdop>{0.7 + index % 5 * 0.1:.1f}</hdop></trkpt>\n')
        out.write("</trkseg></trk>\n</gpx>\n")


def run(*words):
    """Seconds, the peak of memory in bytes, and stderr of a program.

    The peak is asked for while it runs: what wait4(2) tells includes this process before its exec.
    """
    began, peak = time.monotonic(), 0
    with tempfile.TemporaryFile() as errors:
        child = subprocess.Popen([str(word) for word in words], stdout=subprocess.DEVNULL, stderr=errors)
        while child.poll() is None:
            found = re.search(r"VmHWM:\s*(\d+) kB", Path(f"/proc/{child.pid}/status").read_text())
            peak = max(peak, int(found.group(1)) * 1024 if found else 0)
            time.sleep(0.002)  # the interval at which the peak is read
        took = time.monotonic() - began
        errors.seek(0)
        said = errors.read().decode()
    if child.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, words))} failed:\n{said}")
    return took, peak, said


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--points", type=int, default=1_000_000)
    options.add_argument("--rounds", type=int, default=3, help="the best round counts (default 3)")
    options.add_argument("--build", type=Path, default=ROOT / ".build-bench")
    options.add_argument("--no-build", action="store_true")
    options = options.parse_args()
    scratch = options.build / "command"
    if not options.no_build:
        subprocess.run(["swift", "build", "-c", "release", "--enable-all-traits", "--product", "taffrail",
                        "--package-path", str(ROOT), "--scratch-path", str(scratch)], check=True)
    taffrail = scratch / "release" / "taffrail"
    work = options.build / "replay"
    work.mkdir(parents=True, exist_ok=True)
    source, recording, back, small = (work / name for name in ("a.gpx", "a.json", "b.gpx", "small.json"))
    gpx(source, options.points)
    gpx(work / "small.gpx", 1_000)
    convert = lambda one, other: run(taffrail, "convert", "--force", "--quiet", one, other)
    replay = lambda path: run(taffrail, "replay", path, "--as-fast-as-possible")
    measured = []
    for _ in range(options.rounds):
        there, there_peak, _ = convert(source, recording)
        again, again_peak, _ = convert(recording, back)
        with open(back, "rb") as lines:
            points = sum(line.count(b"<trkpt ") for line in lines)
        if points != options.points:
            raise SystemExit(f"{points} of {options.points} points came back")
        _, idle, _ = convert(work / "small.gpx", small)
        _, base, _ = replay(small)
        _, peak, errors = replay(recording)
        count, speed = map(int, re.search(r"(\d+) events in \d+ ms, (\d+) a second", errors).groups())
        if count != options.points:
            raise SystemExit(f"{count} of {options.points} events were replayed")
        measured.append({"convert_seconds": there + again, "convert_growth": max(there_peak, again_peak) - idle,
                         "events_a_second": speed, "replay_growth": peak - base})
        print(f"  {measured[-1]}", file=sys.stderr, flush=True)
    rows = [
        ("as fast as possible, events a second", ">= 200,000", max(row["events_a_second"] for row in measured),
         lambda value: value >= 200_000, lambda value: f"{value:,}"),
        ("  growth of memory over 1,000 events", "<= 8 MiB", max(row["replay_growth"] for row in measured),
         lambda value: value <= 8 * MIB, lambda value: f"{value / MIB:.1f} MiB"),
        ("convert GPX to JSON to GPX", "<= 20 s", min(row["convert_seconds"] for row in measured),
         lambda value: value <= 20, lambda value: f"{value:.1f} s"),
        ("  growth of memory over 1,000 points", "<= 8 MiB", max(row["convert_growth"] for row in measured),
         lambda value: value <= 8 * MIB, lambda value: f"{value / MIB:.1f} MiB"),
    ]
    print(f"\n{options.points:,} points, {options.rounds} rounds:\n")
    missed = False
    for name, bar, value, passes, shown in rows:
        verdict = "pass" if passes(value) else "MISS"
        missed = missed or verdict == "MISS"
        print(f"| {name:<38} | {bar:<10} | {shown(value):<12} | {verdict} |")
    (options.build / "replay.json").write_text(json.dumps(measured, indent=1) + "\n")
    for path in work.iterdir():
        path.unlink()
    work.rmdir()
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
