#!/usr/bin/env python3
"""Measures how logs are read: `Tests/Benchmarks/reading.py [--gib 10] [--directory DIR] [--rounds 9]`.

It fills a directory through `taffrail log` (rotated, with its index), streams all of it, and looks for moments. Printed
are the peak memory of reading, the throughput, and how long a moment takes, with a cold and with a warm cache (cold only
as root). With `--against TAFFRAIL`, the command of another commit streams the same directory in turn with this one, and
the ratio of the throughputs is printed: the median of the pairs, the smallest and the largest.
"""
import argparse
import json
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import tempfile
import time

TOP = pathlib.Path(__file__).resolve().parents[2]


def build():
    subprocess.run(
        # As `make install` does.
        ["swift", "build", "-c", "release", "--enable-all-traits", "--static-swift-stdlib", "-Xlinker", "-s",
         "--product", "taffrail",
         "--scratch-path", str(TOP / ".build-bench/reading")], cwd=TOP, check=True)
    return TOP / ".build-bench/reading/release/taffrail"


def fill(taffrail, directory, size):
    """Writes lines of about 200 bytes until the directory has `size` bytes."""
    log = directory / "app.log"
    command = [taffrail, "log", "info", "--stdin", "--file", log, "--rotate-size", "10MiB", "--keep", "100000"]
    filler = "the quick brown fox jumps over the lazy dog " * 3
    with subprocess.Popen(command, stdin=subprocess.PIPE) as writer:
        written = number = 0
        while written < size:
            chunk = "".join(f"{n} {filler}n={n}\n" for n in range(number, number + 10000)).encode()
            number += 10000
            # The line has its time and level in front.
            written += len(chunk) + 10000 * 33
            writer.stdin.write(chunk)
        writer.stdin.close()
    return number


def run(arguments):
    """Runs to the end and returns seconds, the peak memory in MiB, and the output's lines."""
    read, write = os.pipe()
    start = time.monotonic()
    pid = os.posix_spawn(arguments[0], arguments, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, write, 1)])
    os.close(write)
    lines = 0
    while chunk := os.read(read, 1 << 20):
        lines += chunk.count(b"\n")
    os.close(read)
    _, status, usage = os.wait4(pid, 0)
    assert status == 0, f"{arguments}: {status}"
    return time.monotonic() - start, usage.ru_maxrss / 1024, lines


def drop_caches():
    if os.geteuid() != 0:
        return False
    os.sync()
    pathlib.Path("/proc/sys/vm/drop_caches").write_text("3")
    return True


def ratios(taffrail, other, folder, rounds):
    """The throughput of one command over that of another, in pairs that start with each of them in turn."""
    found = []
    for number in range(rounds):
        order = [taffrail, other] if number % 2 == 0 else [other, taffrail]
        seconds = {command: run([command, "tail", folder])[0] for command in order}
        found.append(seconds[other] / seconds[taffrail])
    return {"median": statistics.median(found), "smallest": min(found), "largest": max(found)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gib", type=float, default=10)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--directory", help="where the log is made; default: a temporary directory")
    parser.add_argument("--against", help="the command `taffrail` of another commit")
    options = parser.parse_args()
    taffrail = str(build())
    with tempfile.TemporaryDirectory(dir=options.directory) as folder:
        directory = pathlib.Path(folder)
        begin = time.time()
        number = fill(taffrail, directory, int(options.gib * (1 << 30)))
        end = time.time()
        size = sum(file.stat().st_size for file in directory.iterdir() if file.is_file())
        files = sum(1 for file in directory.iterdir() if file.is_file())
        seconds, memory, lines = run([taffrail, "tail", folder])
        assert lines >= number, (lines, number)
        other = str(directory.with_name(directory.name + "-other"))
        os.mkdir(other)
        fill(taffrail, pathlib.Path(other), 1)
        found = {"cold": [], "warm": []}
        for _ in range(options.rounds):
            moment = random.uniform(begin + 1, end - 1)
            stamp = lambda t: time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(t)) + f".{int(t % 1 * 1000):03}Z"
            arguments = [taffrail, "tail", "--since", stamp(moment), "--until", stamp(moment + 0.001), folder]
            if drop_caches():
                # The command itself is read first, with what it links: that is not what is measured.
                run([*arguments[:-1], other])
                found["cold"].append(run(arguments)[0])
            found["warm"].append(run(arguments)[0])
        shutil.rmtree(other)
        result = {
            "gib": size / (1 << 30), "files": files, "lines": lines, "seconds": seconds,
            "mib_a_second": size / seconds / (1 << 20), "peak_mib": memory,
            **{f"moment_{name}_ms": {"median": statistics.median(times) * 1000, "worst": max(times) * 1000}
               for name, times in found.items() if times},
        }
        if options.against:
            result["ratio"] = ratios(taffrail, options.against, folder, options.rounds)
        print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
