#!/usr/bin/env python3
"""Runs the benchmark: builds it, alternates the implementations in random order, checks every run's lines, takes
medians and ratios, prints a table against the bars, and writes everything that was measured as JSON.

Only the standard library. See README.md in this directory for what is measured and for the pitfalls.
"""

import argparse
import gzip
import json
import math
import os
import platform
import random
import re
import resource
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
MIB = 1024 * 1024
QUEUE_CAPACITY = 8 * MIB
FIRST_ID = 1_000_000

SWIFT, SPDLOG = "taffrail-bench", "spdlog-bench"
PROGRAM = {
    "taffrail": SWIFT, "taffrail-located": SWIFT, "taffrail-equals": SWIFT, "taffrail-literals": SWIFT, "taffrail-named": SWIFT, "taffrail-values": SWIFT, "taffrail-variables": SWIFT, "taffrail-configured": SWIFT, "taffrail-stuck": SWIFT, "swiftlog": SWIFT, "seed002": SWIFT, "write64k": SWIFT,
    "spdlog-sync": SPDLOG, "spdlog-async": SPDLOG,
    "taffrail-text": SWIFT, "taffrail-json": SWIFT, "taffrail-whole": SWIFT, "taffrail-gzip": SWIFT,
}
MESSAGE = rb"request id=(\d{7}) served for user=member-\d{4} by pool=main rc 200"
STAMPED = re.compile(rb"^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}\] \[INFO\] " + MESSAGE + rb"([^\n]*)$", re.M)
JSON_LINE = re.compile(rb'^\{"time":"[^"]{30}","level":"info","message":"' + MESSAGE + rb'"([^\n]*)\}$', re.M)
SWIFT_LOG = re.compile(rb"^\S+ info bench: [^\n]*?" + MESSAGE + rb"()$", re.M)


class Cell:
    """One thing to measure: an implementation in a mode. Its runs are what was measured."""

    def __init__(self, implementation, mode, threads=1, lines=1_000_000, attributes=False, slow=False, verify=True):
        self.implementation, self.mode, self.threads, self.lines = implementation, mode, threads, lines
        self.attributes, self.slow, self.verify = attributes, slow, verify
        self.runs = []

    @property
    def name(self):
        return f"{self.implementation} {self.mode} {self.threads}T" + (" +2 attributes" if self.attributes else "")

    def median(self, key):
        values = [run[key] for run in self.runs if key in run]
        return statistics.median(values) if values else None

    def spread(self, key):
        values = [run[key] for run in self.runs if key in run]
        return (min(values), max(values)) if values else None


def plan(scale):
    """The cells; `scale` below 1 makes everything short, to try the machinery out."""
    flood = int(1_000_000 * scale) // 4000 * 4000
    part = max(int(200_000 * scale) // 2000 * 2000, 20_000)
    cells = []
    for threads in (1, 4):
        for name in ("taffrail", "spdlog-sync", "spdlog-async"):
            cells.append(Cell(name, "flood", threads, flood))
        for name in ("seed002", "swiftlog"):
            cells.append(Cell(name, "flood", threads, flood, slow=True))
    cells.append(Cell("write64k", "flood", 1, flood))
    for name in ("taffrail", "spdlog-sync", "spdlog-async"):
        cells.append(Cell(name, "batch", 1, part))
        cells.append(Cell(name, "paced", 1, part))
        cells.append(Cell(name, "paced", 4, part))
    cells.append(Cell("taffrail", "batch", 1, part, attributes=True))
    for name in ("taffrail-literals", "taffrail-named", "taffrail-values", "taffrail-variables"):
        cells.append(Cell(name, "batch", 1, part, verify=False))
    cells.append(Cell("taffrail-located", "batch", 1, part, verify=False))
    for name in ("seed002", "swiftlog"):
        cells.append(Cell(name, "batch", 1, part, slow=True))
    for name in ("taffrail-text", "taffrail-json"):
        cells.append(Cell(name, "flood", 1, flood, attributes=True))
    for name in ("taffrail-whole", "taffrail-gzip"):
        cells.append(Cell(name, "paced", 1, flood))
    cells.append(Cell("taffrail", "disabled", 1, int(50_000_000 * scale), verify=False))
    cells.append(Cell("taffrail-configured", "disabled", 1, int(50_000_000 * scale), verify=False))
    cells.append(Cell("taffrail", "allocations", 1, part, slow=True))
    cells.append(Cell("taffrail", "allocations", 1, part, attributes=True, slow=True))
    for name in ("taffrail-literals", "taffrail-variables"):
        cells.append(Cell(name, "allocations", 1, part, slow=True, verify=False))
    cells.append(Cell("taffrail-configured", "allocations", 1, part, slow=True, verify=False))
    cells.append(Cell("taffrail-located", "allocations", 1, part, slow=True, verify=False))
    cells.append(Cell("taffrail-stuck", "flood", 4, flood, slow=True, verify=False))
    cells.append(Cell("taffrail", "nothing", 1, 0, slow=True, verify=False))
    cells.append(Cell("taffrail", "idle", 1, 1, slow=True))
    return cells


class Failed(Exception):
    pass


def busy_ticks():
    """Ticks that all processors together have worked, steal included."""
    fields = [int(field) for field in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]]
    return sum(fields[:8]) - fields[3] - fields[4]


class Bench:
    def __init__(self, options):
        self.build = options.build.resolve()
        self.work = (options.directory or self.build / "work").resolve()
        self.programs = {SWIFT: self.build / "swift" / "release" / SWIFT, SPDLOG: self.build / "peers" / SPDLOG}
        self.counter = self.build / "peers" / "liballocations.so"
        self.patience = options.patience
        self.noise = []
        # The best of earlier runs counts too: a neighbour may stay for all of this one.
        self.speed_file = self.build / "full-speed"
        self.full_speed = float(self.speed_file.read_text()) if self.speed_file.exists() else math.inf
        self.slowed = 0

    def build_all(self):
        run = lambda *command: subprocess.run([str(word) for word in command], check=True)
        # SwiftPM looks for new files of the package next door only when the manifest has changed.
        (HERE / "Package.swift").touch()
        run("swift", "build", "-c", "release", "--package-path", HERE, "--scratch-path", self.build / "swift")
        run("make", "-C", HERE / "Peers", f"BUILD={self.build / 'peers'}", "--silent")

    def command(self, cell, lines=None):
        words = [self.programs[PROGRAM[cell.implementation]], cell.implementation, cell.mode, "--directory", self.work]
        words += ["--threads", cell.threads, "--lines", cell.lines if lines is None else lines]
        return [str(word) for word in words] + (["--attributes"] if cell.attributes else [])

    def fresh_directory(self):
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir(parents=True)

    def environment(self, preload=None):
        kept = {key: value for key, value in os.environ.items() if not key.startswith("TAFFRAIL_")}
        # What a program keeps outside its log directory stays below the build directory, too.
        kept.update(XDG_STATE_HOME=str(self.build / "state"), SWIFT_BACKTRACE="enable=no", TZ="UTC")
        if math.isfinite(self.full_speed):
            kept["BENCH_ROUND_NS"] = str(self.full_speed)
        if preload:
            kept["LD_PRELOAD"] = str(preload)
        return kept

    def speed(self):
        """How long a fixed piece of arithmetic takes now, over the least that it ever took."""
        done = subprocess.run([self.programs[SWIFT], "taffrail", "speed", "--directory", self.work],
                              env=self.environment(), capture_output=True, check=True)
        took = json.loads(done.stdout)["round_ns"]
        if took < self.full_speed:
            self.full_speed = took
            self.speed_file.write_text(f"{took}\n")
        return took / self.full_speed

    def await_quiet(self):
        """Waits until others use less than a tenth of the machine, and the core is not slowed down by what this
        machine does not see, but not for ever. Returns whether that was so."""
        end = time.monotonic() + self.patience
        while time.monotonic() < end:
            busy, began = busy_ticks(), time.monotonic()
            time.sleep(0.25)
            share = (busy_ticks() - busy) / os.sysconf("SC_CLK_TCK") / (time.monotonic() - began) / os.cpu_count()
            if share < 0.1 and self.speed() < 1.1:
                return True
        return False

    def run(self, cell):
        self.fresh_directory()
        self.slowed += not self.await_quiet()
        preload = self.counter if cell.mode == "allocations" else None
        busy = busy_ticks()
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        began = time.monotonic()
        done = subprocess.run(self.command(cell), env=self.environment(preload), capture_output=True, timeout=600)
        took = time.monotonic() - began
        own = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode != 0:
            raise Failed(f"{cell.name}: exit {done.returncode}\n{done.stderr.decode(errors='replace')[-2000:]}")
        result = json.loads(done.stdout.decode().strip().splitlines()[-1])
        own_seconds = own.ru_utime + own.ru_stime - used.ru_utime - used.ru_stime
        all_seconds = (busy_ticks() - busy) / os.sysconf("SC_CLK_TCK")
        result["others_cpu_share"] = round(max(0.0, all_seconds - own_seconds) / took / os.cpu_count(), 3)
        self.noise.append(result["others_cpu_share"])
        if cell.verify:
            self.verify(cell, result["lines"])
        cell.runs.append(result)
        return result

    def verify(self, cell, expected):
        """Every line is there once and whole, each thread's lines are in order, and nothing else is there."""
        pattern = {"swiftlog": SWIFT_LOG, "taffrail-json": JSON_LINE}.get(cell.implementation, STAMPED)
        seen = bytearray(expected)
        others = []
        share = expected // cell.threads
        files = [path for path in self.work.rglob("app*") if path.is_file() and path.suffix != ".tmp"]
        # At the end of a program a file may be compressed and not deleted yet: the next run would delete it.
        files = [path for path in files if path.with_name(path.name + ".gz") not in files]
        for path in files:
            data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
            last, matched = {}, 0
            for match in pattern.finditer(data):
                number = int(match.group(1)) - FIRST_ID
                if not 0 <= number < expected or seen[number]:
                    raise Failed(f"{cell.name}: {path.name} has id {number + FIRST_ID} too often or out of range")
                if not cell.attributes and match.group(2):
                    raise Failed(f"{cell.name}: {path.name} has a line with more text after it: {match.group(0)!r}")
                seen[number] = 1
                matched += 1
                thread = number // share
                if last.get(thread, -1) > number:
                    raise Failed(f"{cell.name}: {path.name} has id {number + FIRST_ID} out of order")
                last[thread] = number
            if matched != data.count(b"\n"):
                others += [line for line in data.split(b"\n")[:-1] if not pattern.match(line)]
        if sum(seen) != expected:
            raise Failed(f"{cell.name}: {sum(seen)} of {expected} lines are there, in {len(files)} files")
        if any(b"Logger initialized" not in line for line in others) or len(others) > 1:
            raise Failed(f"{cell.name}: unexpected lines, the first: {others[0][:200]!r}")

    def instructions(self, implementation):
        """Instructions a line, caller and writer: the difference of two runs below callgrind."""
        few, many = 2_000, 22_000
        cell = Cell(implementation, "flood")
        # valgrind 3.19 cannot read what the Swift compiler writes for debuggers.
        program = self.programs[PROGRAM[implementation]]
        bare = program.with_name(program.name + "-stripped")
        subprocess.run(["strip", "--strip-debug", "-o", str(bare), str(program)], check=True)
        # It also counts every round of a `rep` instruction, of which glibc's memset of a page is one; with these
        # thresholds glibc uses vectors instead, which count as what they are.
        thresholds = ":".join(f"glibc.cpu.x86_rep_{kind}_threshold={2**40}" for kind in ("movsb", "stosb"))
        environment = self.environment() | {"BENCH_FLUSH": "1", "GLIBC_TUNABLES": thresholds}
        differences = []
        for _ in range(3):
            counts = []
            for lines in (few, many):
                self.fresh_directory()
                command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", str(bare)]
                done = subprocess.run(
                    command + self.command(cell, lines)[1:], env=environment, capture_output=True, timeout=600)
                found = re.search(rb"Collected : (\d+)", done.stderr)
                if done.returncode != 0 or not found:
                    raise Failed(f"{implementation} below callgrind:\n{done.stderr.decode(errors='replace')[-2000:]}")
                counts.append(int(found.group(1)))
            differences.append((counts[1] - counts[0]) / (many - few))
        return statistics.median(differences)


def machine():
    def first(command, default="unknown"):
        try:
            return subprocess.run(command, capture_output=True, text=True).stdout.strip().splitlines()[0]
        except (OSError, IndexError):
            return default

    processor = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    return {
        "processor": processor.group(1) if processor else platform.machine(),
        "cores": os.cpu_count(),
        "kernel": platform.release(),
        "swift": first(["swift", "--version"]),
        "compiler": first(["g++", "--version"]),
        "spdlog": first(["dpkg-query", "-W", "-f", "${Version}", "libspdlog-dev"]),
    }


class Table:
    """The rows: what is asked, what was reached, and whether that is enough."""

    def __init__(self):
        self.rows = []

    def add(self, name, bar, value, passes, shown):
        """`value` is `None` where something was not measured."""
        verdict = "not measured" if value is None else "pass" if passes(value) else "MISS"
        self.rows.append({"row": name, "must_reach": bar, "reached": "" if value is None else shown.format(value),
                          "value": value, "verdict": verdict})

    def print(self):
        heads = ("row", "must_reach", "reached", "verdict")
        titles = {"row": "", "must_reach": "must reach", "reached": "reached", "verdict": ""}
        width = {key: max(len(titles[key]), *(len(row[key]) for row in self.rows)) for key in heads}
        line = lambda row: "| " + " | ".join(row[key].ljust(width[key]) for key in heads) + " |"
        print(line(titles))
        print("|" + "|".join("-" * (width[key] + 2) for key in heads) + "|")
        for row in self.rows:
            print(line(row))


def judge(cells, instructions):
    """The table of the bars."""
    by_name = {cell.name: cell for cell in cells}

    def value(name, key):
        cell = by_name.get(name)
        return cell.median(key) if cell else None

    def difference(name, other, key):
        """The median of what one cell takes more than another in the same round."""
        one, other = by_name.get(name), by_name.get(other)
        pairs = zip(one.runs, other.runs) if one and other else ()
        differences = [run[key] - pair[key] for run, pair in pairs if key in run and key in pair]
        return statistics.median(differences) if differences else None

    def ratio(upper, lower):
        return None if upper is None or not lower else upper / lower

    table = Table()
    below = lambda bar: lambda value: value <= bar
    above = lambda bar: lambda value: value >= bar
    flood = lambda name, threads: value(f"{name} flood {threads}T", "seconds")

    table.add("disabled call over an empty loop", "<= 0.5 ns", value("taffrail disabled 1T", "over_ns"), below(0.5), "{:.2f} ns")
    table.add("  with everything configured", "<= 0.5 ns", value("taffrail-configured disabled 1T", "over_ns"), below(0.5), "{:.2f} ns")
    table.add("allocations of a disabled call", "0", value("taffrail allocations 1T", "disabled"), below(0), "{:.0f}")
    table.add("  with everything configured", "0", value("taffrail-configured allocations 1T", "disabled"), below(0), "{:.0f}")
    for label, key in (("alone on the core", "alone_ns"), ("all", "mean_ns")):
        call = value("taffrail batch 1T", key)
        table.add(f"enabled call, 1 thread, mean in batches, {label}", "<= 60 ns", call, below(60), "{:.1f} ns")
        table.add("  the same, over spdlog async", "<= 0.5", ratio(call, value("spdlog-async batch 1T", key)), below(0.5), "{:.2f}")
    table.add("paced p99, 1 thread, over spdlog async", "<= 0.3",
              ratio(value("taffrail paced 1T", "p99_ns"), value("spdlog-async paced 1T", "p99_ns")), below(0.3), "{:.2f}")
    table.add("allocations of an enabled call", "0", value("taffrail allocations 1T", "caller"), below(0), "{:.0f}")
    table.add("  with 2 attributes", "0", value("taffrail allocations 1T +2 attributes", "caller"), below(0), "{:.0f}")
    for name in ("literals", "variables"):
        table.add(f"  with 4 attributes that are {name}", "0",
                  value(f"taffrail-{name} allocations 1T", "caller"), below(0), "{:.0f}")
    table.add("  with a position", "0", value("taffrail-located allocations 1T", "caller"), below(0), "{:.0f}")
    table.add("a position, over a plain call", "<= 3 ns",
              difference("taffrail-located batch 1T", "taffrail batch 1T", "mean_ns"), below(3), "{:.1f} ns")
    four = {name: value(f"taffrail-{name} batch 1T", "mean_ns") for name in ("literals", "named", "values", "variables")}
    table.add("four literals as attributes, over four as LogAttributes", "<= 1.05 x",
              ratio(four["literals"], four["named"]), below(1.05), "{:.2f} x")
    table.add("each of four variables as attributes, over one as LogValue", "<= 50 ns",
              None if None in (four["variables"], four["values"]) else (four["variables"] - four["values"]) / 4,
              below(50), "{:.1f} ns")
    for threads in (1, 4):
        table.add(f"end to end, {threads} thread{'s' * (threads > 1)}, against spdlog sync", ">= 1.5 x",
                  ratio(flood("spdlog-sync", threads), flood("taffrail", threads)), above(1.5), "{:.2f} x")
    table.add("end to end, 1 thread, against spdlog async", ">= 3 x", ratio(flood("spdlog-async", 1), flood("taffrail", 1)), above(3), "{:.1f} x")
    table.add("end to end, 1 thread, against seed 002", ">= 20 x", ratio(flood("seed002", 1), flood("taffrail", 1)), above(20), "{:.1f} x")
    table.add("end to end, 1 thread, over the write(2) bound", "<= 4 x", ratio(flood("taffrail", 1), flood("write64k", 1)), below(4), "{:.2f} x")
    table.add("JSON lines with 2 attributes over text, end to end", "<= 2 x",
              ratio(value("taffrail-json flood 1T +2 attributes", "seconds"),
                    value("taffrail-text flood 1T +2 attributes", "seconds")), below(2), "{:.2f} x")
    table.add("paced p99, rotation each MiB with gzip over none", "<= 1.2 x",
              ratio(value("taffrail-gzip paced 1T", "p99_ns"), value("taffrail-whole paced 1T", "p99_ns")),
              below(1.2), "{:.2f} x")
    table.add("instructions a line, caller and writer", "<= 814", instructions.get("taffrail"), below(814), "{:.0f}")
    idle_kib = value("taffrail nothing 1T", "peak_kib")
    for label, name in (("", "taffrail flood 1T"), (", 4 threads", "taffrail flood 4T"), (", stuck sink", "taffrail-stuck flood 4T")):
        cell = by_name.get(name)
        peaks = [(run["peak_kib"] - run["twice_kib"] - idle_kib) / 1024 for run in cell.runs] if cell and idle_kib else []
        bar = QUEUE_CAPACITY / MIB + 8
        table.add(f"peak RSS over an idle program{label}", f"<= {bar:.0f} MiB", max(peaks) if peaks else None, below(bar), "{:.1f} MiB")
    table.add("idle, logger started, CPU in 10 s", "<= 1 ms", value("taffrail idle 1T", "cpu_ms"), below(1), "{:.2f} ms")
    return table


def print_details(cells):
    print("\nMedians (least, most of the rounds):")
    for cell in cells:
        keys = [key for key in (cell.runs[0] if cell.runs else {}) if key not in ("lines", "others_cpu_share")]
        parts = []
        for key in keys:
            low, high = cell.spread(key)
            parts.append(f"{key} {cell.median(key):.6g} ({low:.6g}, {high:.6g})")
        print(f"  {cell.name:34} x{len(cell.runs)}  " + "  ".join(parts))


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rounds", type=int, default=5, help="rounds of the fast implementations (default 5)")
    options.add_argument("--slow-rounds", type=int, default=2, help="rounds of the slow ones (default 2)")
    options.add_argument("--scale", type=float, default=1.0, help="part of the work to do; below 1 only tries the machinery")
    options.add_argument("--only", default="", help="only cells whose name contains one of these words (comma-separated)")
    options.add_argument("--build", type=Path, default=ROOT / ".build-bench", help="where to build and work")
    options.add_argument("--directory", type=Path, help="where the logs are written (default: in the build directory)")
    options.add_argument("--output", type=Path, help="the JSON file (default: results.json in the build directory)")
    options.add_argument("--patience", type=float, default=30, metavar="SECONDS",
                         help="how long to wait before a run until others leave the machine alone (default 30)")
    options.add_argument("--seed", type=int, help="of the random order")
    options.add_argument("--no-build", action="store_true")
    options.add_argument("--no-instructions", action="store_true", help="leave callgrind out")
    options.add_argument("--strict", action="store_true", help="exit with 1 when a bar is missed")
    options = options.parse_args()

    bench = Bench(options)
    if not options.no_build:
        bench.build_all()
    cells = plan(options.scale)
    words = [word for word in options.only.split(",") if word]
    if words:
        cells = [cell for cell in cells if any(word in cell.name for word in words)]
    order = random.Random(options.seed)
    failures = []

    def attempt(cell, keep=True):
        try:
            result = bench.run(cell)
            if not keep:
                cell.runs.pop()
            print(f"  {cell.name}: {result}", file=sys.stderr, flush=True)
        except (Failed, subprocess.TimeoutExpired, OSError) as error:
            failures.append(str(error))
            print(f"  FAILED {error}", file=sys.stderr, flush=True)

    # Once uncounted: the first run pays for pages that the machine has not handed out yet.
    for cell in cells:
        if cell.mode == "flood" and not cell.slow:
            attempt(cell, keep=False)
    for number in range(max(options.rounds, options.slow_rounds)):
        now = [cell for cell in cells if number < (options.slow_rounds if cell.slow else options.rounds)]
        order.shuffle(now)
        print(f"round {number + 1}: {len(now)} runs", file=sys.stderr, flush=True)
        for cell in now:
            attempt(cell)

    instructions = {}
    if not options.no_instructions and shutil.which("valgrind"):
        for name in ("taffrail", "taffrail-equals", "spdlog-sync", "spdlog-async"):
            if words and not any(word in f"{name} instructions" for word in words):
                continue
            try:
                instructions[name] = bench.instructions(name)
                print(f"  {name}: {instructions[name]:.0f} instructions a line", file=sys.stderr, flush=True)
            except (Failed, subprocess.TimeoutExpired, OSError) as error:
                failures.append(str(error))
                print(f"  FAILED {error}", file=sys.stderr, flush=True)
    shutil.rmtree(bench.work, ignore_errors=True)

    table = judge(cells, instructions)
    print_details(cells)
    if instructions:
        print("  instructions a line: " + ", ".join(f"{name} {count:.0f}" for name, count in instructions.items()))
    noise = statistics.median(bench.noise) if bench.noise else 0
    about = machine()
    print(f"\n{about['processor']}, {about['cores']} cores, Linux {about['kernel']}; {about['swift']}; {about['compiler']}; "
          f"spdlog {about['spdlog']}.\nCPU used by others during the runs: median {noise:.0%}, "
          f"most {max(bench.noise, default=0):.0%} of the machine; {bench.slowed} of {len(bench.noise)} "
          "runs began while others slowed the machine down.\n")
    table.print()
    output = options.output or bench.build / "results.json"
    output.write_text(json.dumps({
        "machine": about, "rounds": options.rounds, "slow_rounds": options.slow_rounds, "scale": options.scale,
        "others_cpu_share_median": noise, "begun_slowed": bench.slowed, "runs_in_all": len(bench.noise),
        "rows": table.rows, "instructions_per_line": instructions,
        "cells": [{"name": cell.name, "implementation": cell.implementation, "mode": cell.mode, "threads": cell.threads,
                   "attributes": cell.attributes, "runs": cell.runs} for cell in cells],
        "failures": failures,
    }, indent=1) + "\n")
    print(f"\nEverything measured: {os.path.relpath(output)}")
    for failure in failures:
        print(f"FAILED {failure}", file=sys.stderr)
    missed = any(row["verdict"] == "MISS" for row in table.rows)
    return 1 if failures or (options.strict and missed) else 0


if __name__ == "__main__":
    sys.exit(main())
