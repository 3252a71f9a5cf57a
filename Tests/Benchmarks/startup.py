#!/usr/bin/env python3
"""How long `taffrail log info MESSAGE` takes over `/bin/true`: pairs of runs, one right after the other, in changing
order; the median of the differences, of the time that passes and of the processor time of the command and of the
kernel on its behalf. The second hardly depends on what else the machine does. Builds the optimized command as
`make install` does, unless one is given.

Only the standard library. The bars are 12 ms, and 15 ms with `--config`.
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
BAR_MS = {"taffrail log": 12, "taffrail log --config": 15}


def build():
    scratch = ROOT / ".build-install"
    subprocess.run(
        ["swift", "build", "-c", "release", "--enable-all-traits", "--static-swift-stdlib", "-Xlinker", "-s",
         "--product", "taffrail", "--package-path", str(ROOT), "--scratch-path", str(scratch)], check=True, stdout=subprocess.DEVNULL)
    return scratch / "release" / "taffrail"


def run(words, environment):
    """Milliseconds from the start of a program to its end, and its milliseconds of processor time."""
    began = time.perf_counter()
    process = os.posix_spawn(words[0], words, environment)
    _, status, usage = os.wait4(process, 0)
    took = (time.perf_counter() - began) * 1000
    if status != 0:
        sys.exit(f"{' '.join(words)}: status {status}")
    return took, (usage.ru_utime + usage.ru_stime) * 1000


def measure(words, environment, pairs):
    base, truths, own = ["/bin/true"], [], []
    for _ in range(5):
        run(words, environment)
    for _ in range(pairs):
        first = random.random() < 0.5
        a = run(base, environment) if first else None
        own.append(run(words, environment))
        truths.append(a if first else run(base, environment))
    differences = [[b - a for a, b in zip(*times)] for times in zip(zip(*truths), zip(*own))]
    quarters = statistics.quantiles(differences[0], n=4)
    return {"true_ms": round(statistics.median(a for a, _ in truths), 2),
            "taffrail_ms": round(statistics.median(b for b, _ in own), 2),
            "over_ms": round(statistics.median(differences[0]), 2), "quartiles_ms": [round(q, 2) for q in quarters],
            "cpu_over_ms": round(statistics.median(differences[1]), 2)}


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
            bar = BAR_MS[name]
            passes = result["over_ms"] <= bar
            missed = missed or not passes
            print(f"{name}: {result['over_ms']} ms over /bin/true (bar {bar} ms: {'pass' if passes else 'MISS'}), "
                  f"{result['cpu_over_ms']} ms of processor time  " + json.dumps(result))
    sys.exit(1 if missed and options.strict else 0)


main()
