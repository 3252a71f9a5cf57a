#!/usr/bin/env python3
"""Measures the sink `http`: records a second and processor time a record against PyPI's opentelemetry-sdk, with the same records to the
same collector (PyPI's rotel) in alternating rounds; what a call costs its thread with a file and with a file and `http`; and how a spool
of 10 GiB opens.

Needs the environment of `.ci/otlp-tools .build-otlp`. See README.md in this directory.
"""

import argparse
import json
import os
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]

# The same records as the Swift program's, by the SDK's own interface, which costs less than that of Python's `logging`.
SDK = """
import sys, time
from opentelemetry._logs import LogRecord, SeverityNumber
from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor
from opentelemetry.sdk.resources import Resource
url, count, batch = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
provider = LoggerProvider(resource=Resource.create({"service.name": "delivery-bench"}))
# With its default queue of 2,048 records it would drop most of them.
provider.add_log_record_processor(BatchLogRecordProcessor(
    OTLPLogExporter(endpoint=url, compression=Compression.Gzip), max_queue_size=count, max_export_batch_size=batch))
logger = provider.get_logger("net.http")
users = ["member-683%d" % number for number in range(8)]
start = time.monotonic()
for id in range(count):
    logger.emit(LogRecord(
        timestamp=time.time_ns(), severity_number=SeverityNumber.INFO, severity_text="info",
        body=f"request id={id} served for user={users[id & 7]} by pool=main rc 200",
        attributes={"http.route": "/orders/{id}", "http.response.status_code": 200, "client.address": "192.0.2.7"}))
provider.force_flush()
print('{"rate": %f}' % (count / (time.monotonic() - start)))
"""


def load():
    return os.getloadavg()[0]


class Collector:
    """rotel, which decodes what it gets and drops it; it prints how many records each request had."""

    def __init__(self, environment, work):
        agents = list(environment.glob("lib/*/site-packages/rotel/rotel-agent"))
        if not agents:
            sys.exit("rotel is not installed: run .ci/otlp-tools .build-otlp")
        ports = []
        for _ in range(2):
            with socket.create_server(("127.0.0.1", 0)) as server:
                ports.append(server.getsockname()[1])
        self.output = work / "collector"
        self.url = f"http://127.0.0.1:{ports[0]}/v1/logs"
        self.process = subprocess.Popen(
            [agents[0], "start", "--otlp-http-endpoint", f"127.0.0.1:{ports[0]}", "--otlp-grpc-endpoint", f"127.0.0.1:{ports[1]}",
             "--exporter", "blackhole", "--debug-log", "logs", "--debug-log-verbosity", "basic", "--pid-file", work / "pid"],
            stdout=open(self.output, "wb"), stderr=subprocess.STDOUT)
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", ports[0])).close()
                return
            except OSError:
                time.sleep(0.05)
        sys.exit("rotel does not start")

    def received(self):
        """How many records it has received."""
        plain = re.sub(r"\x1b\[[0-9;]*m", "", self.output.read_text(errors="replace"))
        return sum(map(int, re.findall(r"Received logs\..* logs=(\d+)", plain)))

    def end(self):
        self.process.terminate()
        self.process.wait()


def run(*arguments, environment=None):
    """Runs a program; its result, with the processor time of the whole process."""
    process = subprocess.Popen(list(map(str, arguments)), stdout=subprocess.PIPE, env=environment)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{arguments}: status {status}")
    return json.loads(output) | {"seconds of processor": usage.ru_utime + usage.ru_stime}


def fresh(work, name):
    path = work / name
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir()
    return path


def throughput(options, work):
    python = options.environment / "bin/python3"
    rounds = {"taffrail": [], "sdk, 512 a batch": [], "sdk, 8192 a batch": []}
    collector = Collector(options.environment, work)
    try:
        for number in range(options.rounds + 1):
            for name, results in rounds.items():
                before = collector.received()
                if name == "taffrail":
                    count = options.records
                    result = run(options.program, "send", fresh(work, "send"), collector.url, count)
                else:
                    count = options.records // 10
                    batch = re.search(r"\d+", name).group()
                    result = run(python, "-c", SDK, collector.url, count, batch)
                arrived = collector.received() - before
                if arrived != count:
                    sys.exit(f"{name}: {arrived} of {count} records have arrived")
                result = {"rate": result["rate"], "us": result["seconds of processor"] * 1e6 / count, "load": load()}
                # The first round warms the disk and the collector.
                if number > 0:
                    results.append(result)
                    print(f"{name}: {result['rate']:,.0f}/s, {result['us']:.2f} µs a record, load {result['load']:.1f}",
                          file=sys.stderr)
    finally:
        collector.end()
    medians = {name: {key: statistics.median(result[key] for result in results) for key in ("rate", "us")}
               for name, results in rounds.items()}
    best = max(medians[name]["rate"] for name in medians if name != "taffrail")
    return {"medians": medians, "ratio": medians["taffrail"]["rate"] / best, "us": medians["taffrail"]["us"]}


def calls(options, work):
    collector = Collector(options.environment, work)
    results = {"file": [], "file and http": []}
    try:
        for _ in range(options.rounds * 2):
            for name, rounds in results.items():
                url = "-" if name == "file" else collector.url
                rounds.append(run(options.program, "call", fresh(work, "call"), url, 60, 1000))
    finally:
        collector.end()
    output = {}
    for key in ("wall", "cpu"):
        medians = {name: statistics.median(result[key] for result in rounds) for name, rounds in results.items()}
        pairs = [both[key] / alone[key] for alone, both in zip(results["file"], results["file and http"])]
        output[key] = medians | {"ratio": medians["file and http"] / medians["file"], "median of pairs": statistics.median(pairs)}
    return output


def forget(directory):
    """Has the kernel forget what it has cached of some files."""
    for path in directory.rglob("*"):
        if path.is_file():
            with open(path, "rb") as file:
                os.fsync(file.fileno())
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def spool(options, work):
    directory = fresh(work, "spool")
    filled = run(options.program, "fill", directory, int(options.gib * (1 << 30)))
    segments = list(directory.rglob("*.segment"))
    size, allocated = sum(path.stat().st_size for path in segments), sum(path.stat().st_blocks * 512 for path in segments)
    results = []
    for number in range(3):
        if number == 0:
            forget(directory)
        results.append(run(options.program, "open", directory))
    shutil.rmtree(directory)
    return {
        "GiB": size / (1 << 30), "on the disk": allocated / (1 << 30), "segments": len(segments), "records": filled["records"],
        "filled in s": filled["seconds"], "cold ms": results[0]["milliseconds"],
        "warm ms": min(result["milliseconds"] for result in results[1:]),
        "peak MiB": max(result["peak"] for result in results) / 1024,
        "peak MiB sending": max(result["peak sending"] for result in results) / 1024,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, default=1_000_000, help="of each round; the SDK gets a tenth")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--gib", type=float, default=10, help="size of the spool")
    parser.add_argument("--only", default="throughput,calls,spool")
    parser.add_argument("--program", help="a built taffrail-delivery-bench")
    parser.add_argument("--environment", type=Path, default=ROOT / ".build-otlp")
    parser.add_argument("--work", default=ROOT / ".build-bench", help="the disk to work on")
    options = parser.parse_args()
    if options.program is None:
        scratch = ROOT / ".build-bench/swift"
        subprocess.run(["swift", "build", "-c", "release", "--product", "taffrail-delivery-bench", "--package-path", HERE,
                        "--scratch-path", scratch], check=True)
        options.program = scratch / "release/taffrail-delivery-bench"
    Path(options.work).mkdir(exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix="delivery-", dir=options.work))
    result = {}
    try:
        for name, measure in {"throughput": throughput, "calls": calls, "spool": spool}.items():
            if name in options.only.split(","):
                result[name] = measure(options, work) | {"load": load()}
    finally:
        shutil.rmtree(work)
    kept = {}
    if "throughput" in result:
        kept["ratio >= 5"] = result["throughput"]["ratio"] >= 5
        kept["us <= 10"] = result["throughput"]["us"] <= 10
    if "calls" in result:
        kept["a call within 10 %"] = result["calls"]["wall"]["ratio"] <= 1.1
    if "spool" in result:
        kept["opens in 1 s"] = result["spool"]["cold ms"] <= 1000
        kept["64 MiB"] = result["spool"]["peak MiB"] <= 64
    print(json.dumps(result | {"kept": kept}, indent=2))


if __name__ == "__main__":
    main()
