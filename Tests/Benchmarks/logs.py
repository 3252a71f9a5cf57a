#!/usr/bin/env python3
"""Measures a store of records: saving batches of 512 against a bare loop of prepared statements on the same tables, the bytes
of a record, pages, counts and filtered first rows, and memory.

Only the standard library. See README.md in this directory.
"""

import argparse
import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent


def run(*arguments):
    output = subprocess.run(list(map(str, arguments)), check=True, capture_output=True, timeout=3600)
    return json.loads(output.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=1_000_000)
    parser.add_argument("--program", help="a built taffrail-log-bench")
    options = parser.parse_args()
    program = options.program
    if program is None:
        subprocess.run(
            ["swift", "build", "-c", "release", "--product", "taffrail-log-bench", "--scratch-path", HERE / ".build"],
            cwd=HERE, check=True)
        program = HERE / ".build/release/taffrail-log-bench"
    work = Path(tempfile.mkdtemp(prefix="taffrail-logs-"))
    try:
        bare = run(program, "bare", work / "bare.sqlite", options.records)
        os.remove(work / "bare.sqlite")
        fill = run(program, "fill", work / "logs.sqlite", options.records)
        query = run(program, "query", work / "logs.sqlite")
    finally:
        shutil.rmtree(work)
    counts = {name: value for name, value in query.items() if name.startswith(("histogram: word", "histogram: attr", "values"))}
    rows = {name: value for name, value in query.items() if name not in counts and name != "rss"}
    result = {
        "records": options.records, "rate": fill["rate"], "bare": bare["rate"], "ratio": fill["rate"] / bare["rate"],
        "bytes": fill["bytes"], "rss": max(fill["rss"], query["rss"]), "milliseconds": query,
        "kept": {
            "rate >= 20000": fill["rate"] >= 20_000, "ratio >= 0.5": fill["rate"] >= 0.5 * bare["rate"],
            "rss <= 200": max(fill["rss"], query["rss"]) <= 200,
            "rows, histogram and facets <= 200 ms": max(rows.values()) <= 200,
            "filtered counts <= 2 s": max(counts.values()) <= 2_000,
        },
    }
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
