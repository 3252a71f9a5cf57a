#!/usr/bin/env python3
"""Measures a store of positions: saving against a bare loop of prepared statements on the same tables, the bytes of a point, the
first page of each kind of query, memory, the division into visits and trips, and a track for a screen.

Only the standard library. See README.md in this directory.
"""

import argparse
import json
import os
import resource
import shutil
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent


def cpu():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(*arguments):
    """Runs the program; its result, with the processor time that it took."""
    before = cpu()
    output = subprocess.run(list(map(str, arguments)), check=True, capture_output=True, timeout=3600)
    return json.loads(output.stdout) | {"cpu": cpu() - before}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--points", type=int, default=10_000_000)
    parser.add_argument("--program", help="a built taffrail-store-bench")
    options = parser.parse_args()
    program = options.program
    if program is None:
        subprocess.run(
            ["swift", "build", "-c", "release", "--product", "taffrail-store-bench", "--scratch-path", HERE / ".build"],
            cwd=HERE, check=True)
        program = HERE / ".build/release/taffrail-store-bench"
    work = Path(tempfile.mkdtemp(prefix="taffrail-store-"))
    try:
        bare = run(program, "bare", work / "bare.sqlite", options.points)
        os.remove(work / "bare.sqlite")
        fill = run(program, "fill", work / "track.sqlite", options.points)
        analysis = run(program, "analyse", work / "track.sqlite")
        size = (work / "track.sqlite").stat().st_size / options.points
        query = run(program, "query", work / "track.sqlite")
        screen = run(program, "screen", work / "track.sqlite", min(1_000_000, options.points))
        simplify = run(program, "simplify", 1_000_000)
    finally:
        shutil.rmtree(work)
    result = {
        "points": options.points, "rate": fill["rate"], "bare": bare["rate"], "ratio": fill["rate"] / bare["rate"],
        "cpu ratio": bare["cpu"] / fill["cpu"],
        "bytes": size, "pages": query, "analysis": options.points / analysis["seconds"], "screen": screen,
        "simplify": simplify["seconds"],
    }
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
