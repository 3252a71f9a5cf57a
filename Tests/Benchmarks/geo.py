#!/usr/bin/env python3
"""Measures recordings: how fast they are written, in how much memory, and how fast a directory of them is listed; and
what passthrough costs.

Only the standard library. See README.md in this directory.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
MIB = 1024 * 1024


def run(program, mode, directory, *more):
    output = subprocess.run([program, mode, directory, *map(str, more)], check=True, capture_output=True, timeout=600)
    return json.loads(output.stdout)


def check(directory, events, step=1):
    """Reads what was written with a reader that is not ours: how many events there are, an event a line, and every
    `step`th of them whole."""
    paths = list(directory.glob("geo_log_*.json"))
    assert len(paths) == 1, paths
    count = 0
    with open(paths[0], "rb") as file:
        assert file.readline() == b'{"events":[\n'
        for line in file:
            if line.startswith(b"]"):
                break
            if count % step == 0:
                assert json.loads(line.rstrip().rstrip(b","))["type"] == "location", line
            count += 1
        metadata = json.loads(b"{" + (line + file.read()).lstrip(b"],"))["metadata"]
    assert metadata["eventCount"] == count == events, "events are missing"
    return paths[0]


def write(program, mode, work, events, step):
    directory = work / mode
    shutil.rmtree(directory, ignore_errors=True)
    result = run(program, mode, directory, events)
    check(directory, events, step)
    return result


def make_many(sample, directory, count, size):
    """Copies whose middle is a hole; their heads and tails leave the page cache."""
    directory.mkdir()
    with open(sample, "rb") as file:
        head = file.read(65536)
        file.seek(-65536, os.SEEK_END)
        tail = file.read()
    for number in range(count):
        hours, rest = divmod(number, 3600)
        name = f"geo_log_2026-01-05_{hours:02}-{rest // 60:02}-{rest % 60:02}.json"
        with open(directory / name, "wb") as file:
            file.write(head)
            file.truncate(size)
            file.seek(size - len(tail))
            file.write(tail)
    # What is not on the disk yet cannot leave the cache.
    os.sync()
    for path in directory.iterdir():
        with open(path, "rb") as file:
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--events", type=int, default=1_000_000)
    options.add_argument("--week", type=int, default=7 * 86_400 * 10, help="how many events a week at 10 Hz has")
    options.add_argument("--recordings", type=int, default=1_000)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--build", type=Path, default=ROOT / ".build-bench", help="where to build and work")
    options.add_argument("--strict", action="store_true", help="exit with 1 when a bar is missed")
    options = options.parse_args()
    (HERE / "Package.swift").touch()
    subprocess.run(["swift", "build", "-c", "release", "--package-path", HERE, "--scratch-path", options.build,
                    "--product", "taffrail-geo-bench"], check=True, stdout=sys.stderr)
    program = options.build / "release" / "taffrail-geo-bench"
    work = options.build / "geo"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)

    rows = []

    def row(name, values, bar, is_met, unit):
        value = statistics.median(values)
        rows.append((name, f"{value:,.4g} {unit} ({min(values):,.4g} to {max(values):,.4g})", bar, is_met(value)))

    for mode, name in ("record", "recorder alone"), ("pipeline", "call, queue and recorder"):
        results = [write(program, mode, work, options.events, 1 if number == 0 else 100)
                   for number in range(options.rounds)]
        row(f"{name}, events/s", [result["events"] / result["seconds"] for result in results], ">= 200,000",
            lambda value: value >= 200_000, "")
        row(f"{name}, growth of memory", [result["rss_growth"] / MIB for result in results], "<= 8 MiB",
            lambda value: value <= 8, "MiB")
    sample = check(work / "record", options.events, 100)
    make_many(sample, work / "many", options.recordings, 10_000_000)
    week = write(program, "pipeline", work, options.week, 100)
    row("a week at 10 Hz, growth of memory", [week["rss_growth"] / MIB], "<= 8 MiB", lambda value: value <= 8, "MiB")
    results = [run(program, "passthrough", work, 200_000) for _ in range(options.rounds)]
    row("passthrough over LocationManager, a fix", [(result["through"] - result["bare"]) * 1e6 for result in results],
        "<= 1 us", lambda value: value <= 1, "us")
    for mode in "list", "info":
        results = [run(program, mode, work / "many") for _ in range(options.rounds)]
        assert all(result["events"] == options.recordings for result in results)
        row(f"{mode} of {options.recordings} recordings", [result["seconds"] for result in results], "<= 1 s",
            lambda value: value <= 1, "s")
    shutil.rmtree(work)

    for name, value, bar, is_met in rows:
        print(f"{name:42} {value:46} {bar:12} {'ok' if is_met else 'MISS'}")
    return 1 if options.strict and not all(row[3] for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
