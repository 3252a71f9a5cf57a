#!/usr/bin/env python3
"""Measures the offline geocoder against PyPI's reverse_geocoder, in one run: a single lookup, a batch, and how many
of 3,000 random airports of PyPI's airportsdata get the right country, region and town. Prints every miss.

A region is right if it is the top-level subdivision that iso-codes has for the name of the airport's subdivision;
airports whose subdivision it does not know, or knows twice, do not count. A town is right if it has the name of the
airport's city, or if its centre is within 10 km of the airport.

The database is that of `make geocoder-data`, whose directory also has the tables of places and codes, unless others are given. Installs the two packages in a virtual environment
below .build-bench. See README.md in this directory.
"""

import argparse
import json
import math
import random
import re
import subprocess
import sys
import unicodedata
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
print(json.dumps([[a["lat"], a["lon"], a["country"], a["city"], a["icao"], a["subd"]] for a in airportsdata.load("ICAO").values()]))
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


def simple(name):
    """The words of a name in lower case and without diacritics, sorted."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", name.casefold()) if not unicodedata.combining(c))
    return " ".join(sorted(re.findall(r"\w+", plain.replace("'", "").replace("\u2019", ""))))


# Words that a name has in one source and not in the other.
KINDS = set("region province provincia state estado department departement district county oblast governorate prefecture"
            " municipality of the de city autonomous republic territory capital metropolitan krai kray".split())


def bare(name):
    """The words that are not only the kind of a subdivision."""
    words = simple(name).split()
    return " ".join([word for word in words if word not in KINDS] or words)


def regions(path):
    """The top-level codes by country and name of a subdivision; `None` where several have a name."""
    entries = json.loads(Path(path, "iso_3166-2.json").read_text())["3166-2"]
    parents = {entry["code"]: entry.get("parent") for entry in entries}

    def top(code):
        while parents.get(code):
            parent = parents[code]
            code = parent if "-" in parent else f"{code[:2]}-{parent}"
        return code

    found = {}
    for entry in entries:
        for name in re.split(r"[/\[\](;,]", entry["name"]):
            key = (entry["code"][:2], bare(name))
            if key[1]:
                code = top(entry["code"])
                found[key] = code if found.get(key, code) == code else None
    return found


def places(path):
    """The coordinates of places by country and name."""
    found = {}
    with open(path, encoding="utf-8") as file:
        for fields in (line.rstrip("\n").split("\t") for line in file):
            found.setdefault((fields[8], fields[1]), []).append((float(fields[4]), float(fields[5])))
    return found


def distance(one, other):
    """Kilometres on a sphere."""
    (a, b), (c, d) = [map(math.radians, point) for point in (one, other)]
    h = math.sin((c - a) / 2) ** 2 + math.cos(a) * math.cos(c) * math.sin((d - b) / 2) ** 2
    return 2 * 6371 * math.asin(min(1, math.sqrt(h)))


def judge(airports, names, codes, towns):
    """The shares of right names, and those that are wrong, with what they should be.

    An airport is its latitude, longitude, country, city, code and subdivision; its names are those of country, region
    and town, as the geocoder has them.
    """
    known = [(a, n) for a, n in zip(airports, names) if a[2]]
    misses = [f"{a[4]}: country {a[2]}, not {n[0]}" for a, n in known if n[0] != a[2]]
    shares = {"country": 1 - len(misses) / len(known)}

    given = [(a, n) for a, n in known if n[1]]
    judged = [(a, n, code) for a, n in given if (code := codes.get((a[2], bare(a[5] or ""))))]
    wrong = [f"{a[4]}: region {code} ({a[5]}), not {n[1]}" for a, n, code in judged if n[1] != code]
    shares |= {"region": 1 - len(wrong) / max(1, len(judged)), "region given": len(given) / len(known),
               "region judged": len(judged) / len(known)}
    misses += wrong

    given = [(a, n) for a, n in known if a[3] and n[2]]
    wrong = []
    for a, n in given:
        # Of several of its name it is the nearest.
        away = min((distance(a[:2], place) for place in towns.get((n[0], n[2]), [])), default=math.inf)
        if simple(a[3]) != simple(n[2]) and away > 10:
            wrong.append(f"{a[4]}: town {a[3]}, not {n[2]}, {away:.0f} km away")
    shares |= {"town": 1 - len(wrong) / max(1, len(given)),
               "town given": len(given) / max(1, sum(bool(a[3]) for a, _ in known))}
    return {name: round(share, 4) for name, share in shares.items()}, misses + wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--database", default=ROOT / ".build-geocoder" / "geocoder.db")
    parser.add_argument("--places", help="GeoNames' table of places; default: cities500.txt beside the database")
    parser.add_argument("--iso-codes", help="the directory of iso_3166-2.json; default: that beside the database")
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
    folder = Path(options.database).parent
    shares, misses = judge(
        chosen, own["names"], regions(options.iso_codes or folder / "debian/usr/share/iso-codes/json"),
        places(options.places or folder / "cities500.txt"))
    for miss in misses:
        print(miss, file=sys.stderr)
    result = {
        "single ratio": round(sorted(singles)[len(singles) // 2], 1),
        "batch ratio": round(sorted(batches)[len(batches) // 2], 2),
        "MiB mapped": round(Path(options.database).stat().st_size / 2**20, 1),
        **shares,
        "peer's country": round(sum(a[2] == c for a, c in zip(chosen, peer["countries"])) / len(chosen), 4),
    }
    print(json.dumps(result, indent=2))
    missed = [name for name, holds in [
        ("a lookup ≥ 10 × reverse_geocoder's", result["single ratio"] >= 10),
        ("a batch ≥ reverse_geocoder's", result["batch ratio"] >= 1), ("country ≥ 98.5 %", result["country"] >= 0.985),
        ("region ≥ 95 % where given", result["region"] >= 0.95), ("region given ≥ 92 %", result["region given"] >= 0.92),
        ("town ≥ 95 % where given", result["town"] >= 0.95), ("≤ 64 MiB mapped", result["MiB mapped"] <= 64),
    ] if not holds]
    for name in missed:
        print(f"missed: {name}")
    sys.exit(1 if missed else 0)


main()
