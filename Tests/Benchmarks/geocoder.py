#!/usr/bin/env python3
"""Measures the offline geocoder against PyPI's reverse_geocoder, in one run: a single look-up, a batch, and how many
of 3,000 random airports of PyPI's airportsdata get the right country and town. Prints every miss of the country.

The database is that of `make geocoder-data`, unless one is given. Installs the two packages in a virtual environment
below .build-bench. See README.md in this folder.
"""

import argparse
import json
import random
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PACKAGES = ["reverse_geocoder==1.5.1", "airportsdata", "numpy", "scipy"]

PEER = r"""
import json, sys, time
import reverse_geocoder
mode = int(sys.argv[2])
points = [tuple(map(float, line.split())) for line in open(sys.argv[1])]
reverse_geocoder.search(points[:1], mode=mode, verbose=False)
begin = time.perf_counter()
for point in points[:1000]:
    reverse_geocoder.search(point, mode=mode, verbose=False)
single = (time.perf_counter() - begin) / 1000
begin = time.perf_counter()
found = reverse_geocoder.search(points, mode=mode, verbose=False)
batch = (time.perf_counter() - begin) / len(points)
print(json.dumps({"single": single, "batch": batch, "countries": [place["cc"] for place in found[:3000]]}))
"""
AIRPORTS = r"""
import airportsdata, json
print(json.dumps([[a["lat"], a["lon"], a["country"], a["city"], a["icao"]] for a in airportsdata.load("ICAO").values()]))
"""


def environment():
    directory = ROOT / ".build-bench" / "geocoder-python"
    python = directory / "bin" / "python3"
    if not python.exists():
        venv.create(directory, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "-q", *PACKAGES], check=True)
    return python


def run(*words):
    output = subprocess.run(list(map(str, words)), check=True, capture_output=True, timeout=1800).stdout
    return json.loads(output.splitlines()[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--database", default=ROOT / ".build-geocoder" / "geocoder.db")
    parser.add_argument("--program", help="a built taffrail-geo-bench")
    parser.add_argument("--points", type=int, default=200_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    if not Path(options.database).exists():
        sys.exit(f"{options.database}: not found; make geocoder-data creates it")
    program = options.program
    if program is None:
        subprocess.run(
            ["swift", "build", "-c", "release", "--product", "taffrail-geo-bench", "--scratch-path", HERE / ".build"],
            cwd=HERE, check=True)
        program = HERE / ".build/release/taffrail-geo-bench"
    python = environment()
    airports = run(python, "-c", AIRPORTS)
    generator = random.Random(1)
    chosen = generator.sample(airports, 3_000)
    # The airports first; then points around airports, where devices are.
    points = [(a[0], a[1]) for a in chosen]
    while len(points) < options.points:
        latitude, longitude = generator.choice(airports)[:2]
        points.append((
            max(-90.0, min(90.0, latitude + generator.gauss(0, 0.3))),
            (longitude + generator.gauss(0, 0.3) + 180) % 360 - 180))
    path = ROOT / ".build-bench" / "coordinates.txt"
    path.write_text("".join(f"{latitude:.6f} {longitude:.6f}\n" for latitude, longitude in points))

    singles, batches = [], []
    for _ in range(options.rounds):
        own = run(program, "geocode", options.database, path)
        # One process, and as many as there are processors; the faster counts.
        peers = [run(python, "-c", PEER, path, mode) for mode in (1, 2)]
        peer = peers[0] | {name: min(each[name] for each in peers) for name in ("single", "batch")}
        count = len(points)
        singles.append(peer["single"] / (own["single"] / count))
        batches.append(peer["batch"] / (own["batch"] / count))
        print(
            f"single {own['single'] / count * 1e6:.2f} µs, reverse_geocoder {peer['single'] * 1e6:.1f} µs; "
            f"batch {own['batch'] / count * 1e6:.2f} µs, reverse_geocoder {peer['batch'] * 1e6:.2f} µs", file=sys.stderr)
    known = [(a, n) for a, n in zip(chosen, own["names"]) if a[2]]
    wrong = [(a, n) for a, n in known if n[0] != a[2]]
    for airport, names in wrong:
        print(f"{airport[4]}: {airport[2]}, not {names[0]}", file=sys.stderr)
    result = {
        "single ratio": round(sorted(singles)[len(singles) // 2], 1),
        "batch ratio": round(sorted(batches)[len(batches) // 2], 2),
        "country": round(1 - len(wrong) / len(known), 4),
        "peer's country": round(sum(a[2] == c for a, c in zip(chosen, peer["countries"])) / len(chosen), 4),
    }
    print(json.dumps(result, indent=2))
    missed = [name for name, holds in [
        ("a look-up ≥ 10 × reverse_geocoder's", result["single ratio"] >= 10),
        ("a batch ≥ reverse_geocoder's", result["batch ratio"] >= 1), ("country ≥ 98.5 %", result["country"] >= 0.985),
    ] if not holds]
    for name in missed:
        print(f"missed: {name}")
    sys.exit(1 if missed else 0)


main()
