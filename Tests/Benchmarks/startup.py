#!/usr/bin/env python3
"""How long `taffrail log info MESSAGE` takes over `/bin/true`: pairs of runs, one right after the other, in changing
order; the median of the differences. Builds the optimised command as `make install` does, unless one is given.

Only the standard library. The bar is 40 ms.
"""

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
BAR_MS = 40


def build():
    scratch = ROOT / ".build-install"
    subprocess.run(
        ["swift", "build", "-c", "release", "--enable-all-traits", "--static-swift-stdlib", "--product", "taffrail",
         "--package-path", str(ROOT), "--scratch-path", str(scratch)], check=True, stdout=subprocess.DEVNULL)
    return scratch / "release" / "taffrail"


def run(words, environment):
    """Milliseconds from the start of a program to its end."""
    began = time.perf_counter()
    process = os.posix_spawn(words[0], words, environment)
    _, status = os.waitpid(process, 0)
    took = (time.perf_counter() - began) * 1000
    if status != 0:
        sys.exit(f"{' '.join(words)}: status {status}")
    return took


def measure(words, environment, pairs):
    base, own = ["/bin/true"], []
    truths, differences = [], []
    for _ in range(5):
        run(words, environment)
    for _ in range(pairs):
        first = random.random() < 0.5
        a = run(base, environment) if first else None
        b = run(words, environment)
        a = a if first else run(base, environment)
        truths.append(a)
        own.append(b)
        differences.append(b - a)
    quarters = statistics.quantiles(differences, n=4)
    return {"true_ms": round(statistics.median(truths), 2), "taffrail_ms": round(statistics.median(own), 2),
            "over_ms": round(statistics.median(differences), 2), "quartiles_ms": [round(q, 2) for q in quarters]}


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--program", type=Path, help="the command (default: built here)")
    options.add_argument("--pairs", type=int, default=200, help="pairs of runs (default 200)")
    options.add_argument("--strict", action="store_true", help="exit with 1 when the bar is missed")
    options = options.parse_args()
    program = str((options.program or build()).resolve())
    missed = False
    with tempfile.TemporaryDirectory() as directory:
        kept = {key: value for key, value in os.environ.items() if not key.startswith("TAFFRAIL_")}
        environment = kept | {"HOME": directory, "XDG_STATE_HOME": directory}
        configuration = Path(directory, "taffrail.yaml")
        configuration.write_text(f"plugins: {{ file: {{ path: {directory}/configured.log }} }}\n")
        cases = {
            "taffrail log": [program, "log", "info", "backup done", "files=1204"],
            "taffrail log --config": [program, "log", "info", "--config", str(configuration), "backup done"],
        }
        for name, words in cases.items():
            result = measure(words, environment, options.pairs)
            passes = result["over_ms"] <= BAR_MS
            missed = missed or not passes
            print(f"{name}: {result['over_ms']} ms over /bin/true (bar {BAR_MS} ms: {'pass' if passes else 'MISS'})  "
                  + json.dumps(result))
    sys.exit(1 if missed and options.strict else 0)


main()
