#!/usr/bin/env python3
"""What a first release build of a client of product `Taffrail` costs over one of apple/swift-log's: processor time of the
compilers, median of `--rounds` (3) builds each, alternating, each into an empty directory. Fetching is not counted.
Prints the lines that each client compiles, and with `--functions` the functions of Taffrail that took the compiler
longest to check.

Only the standard library. The bar is 11 times.
"""

import argparse
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
BAR = 11

CLIENTS = {
    "taffrail": (f'.package(name: "taffrail", path: "{ROOT}")', '.product(name: "Taffrail", package: "taffrail")',
                 'import Taffrail\n\nLogger("client").info("Started", ["port": 8080])\n'),
    "swift-log": ('.package(url: "https://github.com/apple/swift-log", from: "1.16.2")',
                  '.product(name: "Logging", package: "swift-log")',
                  'import Logging\n\nLogger(label: "client").info("Started", metadata: ["port": "8080"])\n'),
}


def make(folder, name):
    package, product, source = CLIENTS[name]
    (folder / "Sources" / "Client").mkdir(parents=True)
    (folder / "Package.swift").write_text(
        "// swift-tools-version: 6.1\nimport PackageDescription\n\n"
        f'let package = Package(name: "Client", dependencies: [{package}], targets: [\n'
        f'    .executableTarget(name: "Client", dependencies: [{product}])\n])\n')
    (folder / "Sources" / "Client" / "main.swift").write_text(source)


def swift(folder, *words):
    """Runs `swift build` and returns the seconds of processor time of it and of all that it has started."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = ["swift", "build", "-c", "release", "--package-path", str(folder), *words]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if result.returncode != 0:
        sys.exit(f"{' '.join(command)}:\n{result.stdout}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, result.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--functions", action="store_true", help="list the functions that took longest")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="taffrail-build-") as temporary:
        # Not by the name alone: a package may not have the name of one that it depends on.
        folders = {name: Path(temporary) / f"client-of-{name}" for name in CLIENTS}
        for name, folder in folders.items():
            make(folder, name)
            subprocess.run(["swift", "package", "--package-path", str(folder), "resolve"], check=True, capture_output=True)
        seconds = {name: [] for name in CLIENTS}
        for _ in range(arguments.rounds):
            for name, folder in folders.items():
                # What was fetched stays; what was built goes.
                for built in (folder / ".build").glob("*-linux-*"):
                    shutil.rmtree(built)
                for built in ("release", "release.yaml", "build.db"):
                    path = folder / ".build" / built
                    path.unlink(missing_ok=True) if not path.is_dir() or path.is_symlink() else shutil.rmtree(path)
                took, _ = swift(folder)
                seconds[name].append(took)
                print(f"{name}: {took:.1f} s of processor time", flush=True)
        medians = {name: statistics.median(values) for name, values in seconds.items()}
        ratio = medians["taffrail"] / medians["swift-log"]
        lines = sum(len(path.read_text().splitlines()) for path in (ROOT / "Sources" / "Taffrail").rglob("*.swift"))
        print(f"taffrail {medians['taffrail']:.1f} s, swift-log {medians['swift-log']:.1f} s: {ratio:.1f} times "
              f"(bar {BAR}); {lines} lines of Swift")
        if arguments.functions:
            folder = folders["taffrail"]
            for built in (folder / ".build").glob("*-linux-*"):
                shutil.rmtree(built)
            _, output = swift(folder, "-Xswiftc", "-Xfrontend", "-Xswiftc", "-debug-time-function-bodies")
            found = re.findall(r"^([\d.]+)ms\t(\S+)\t(.*)$", output, re.M)
            for took, place, function in sorted(set(found), key=lambda row: -float(row[0]))[:5]:
                print(f"{took} ms  {function}  {Path(place).name}")


main()
