#!/usr/bin/env python3
"""Measures `taffrail serve`: processor time while nothing happens, OTLP batches of 512 records by one connection, and how long
records take to 200 clients of GET /stream, with the memory for that.

Only the standard library. See README.md in this directory.
"""

import argparse
import json
import re
import selectors
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def varint(number):
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def field(number, body):
    return varint(number << 3 | 2) + varint(len(body)) + body


def otlp(start, count):
    """A request with records as of a web server: a body, a severity and three attributes."""
    def attribute(key, value):
        return field(6, field(1, key.encode()) + field(2, field(1, value.encode())))
    records = b""
    for n in range(start, start + count):
        records += field(2, b"\x10\x09" + field(5, field(1, b"GET /orders/%d" % n)) + attribute("http.route", "/orders/{id}")
                         + attribute("http.request.method", "GET") + attribute("client.address", "192.0.2.7"))
    return field(1, field(2, records))


class Server:
    def __init__(self, program):
        self.data = tempfile.mkdtemp(prefix="taffrail-receiver-")
        self.process = subprocess.Popen(
            [program, "serve", "--bind", "127.0.0.1:0", "--data", self.data], stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            found = re.search(r"listens on http://127.0.0.1:(\d+)", line)
            if found:
                self.port = int(found.group(1))
                return
        raise SystemExit("the receiver has ended")

    def cpu(self):
        """Nanoseconds of each thread, in the kernel too."""
        times = {}
        for task in Path(f"/proc/{self.process.pid}/task").iterdir():
            try:
                times[task.name] = int((task / "schedstat").read_text().split()[0])
            except OSError:
                pass
        return times

    def cpu_since(self, before):
        """Milliseconds of all threads; those that have ended meanwhile are not among them."""
        return sum(time - before.get(name, 0) for name, time in self.cpu().items()) / 1e6

    def memory(self):
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmHWM:\s+(\d+)", status).group(1)) / 1024

    def connect(self):
        connection = socket.create_connection(("127.0.0.1", self.port))
        connection.settimeout(60)
        return connection

    def get(self, path):
        with self.connect() as connection:
            connection.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            status, body = whole_answer(connection)
        if status != 200:
            raise SystemExit(f"GET {path}: {status} {body.decode()}")
        return json.loads(body)

    def end(self):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.data)


def answer(connection):
    """Reads an answer with a length; its status."""
    return whole_answer(connection)[0]


def whole_answer(connection):
    data = b""
    while b"\r\n\r\n" not in data:
        data += connection.recv(1 << 16)
    head, _, body = data.partition(b"\r\n\r\n")
    length = int(re.search(rb"content-length: (\d+)", head.lower()).group(1))
    while len(body) < length:
        body += connection.recv(1 << 16)
    return int(head.split()[1]), body


def send(connection, path, kind, body):
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
    connection.sendall(head.encode() + body)
    return answer(connection)


def idle(server, seconds=10):
    time.sleep(2)
    before = server.cpu()
    time.sleep(seconds)
    return server.cpu_since(before)


def throughput(server, batches):
    requests = [otlp(n * 512, 512) for n in range(batches)]
    connection = server.connect()
    retries, start = 0, time.monotonic()
    for request in requests:
        while send(connection, "/v1/logs", "application/x-protobuf", request) != 200:
            retries += 1
            time.sleep(0.01)
    confirmed = time.monotonic()
    query = f'/api/records?limit=1&q="GET /orders/{batches * 512 - 1}"'.replace('"', "%22").replace(" ", "%20")
    while not server.get(query)["records"]:
        time.sleep(0.01)
    return {"records/s": batches * 512 / (confirmed - start), "refused": retries,
            "searchable after s": time.monotonic() - confirmed, "peak MiB": server.memory()}


def watch(server, clients, records):
    connections = []
    for _ in range(clients):
        connection = server.connect()
        connection.sendall(b"GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
        connection.recv(1 << 12)
        connections.append(connection)
    lines = b"".join(b'{"message":"watched %d.","logger":"net"}\n' % n for n in range(records))
    start, before = time.monotonic(), server.cpu()
    if send(server.connect(), "/logs", "application/x-ndjson", lines) != 200:
        raise SystemExit("the records were refused")
    # All of them read whenever there is something, as as many programs would.
    last = b"watched %d." % (records - 1)
    with selectors.DefaultSelector() as waiting:
        for connection in connections:
            waiting.register(connection, selectors.EVENT_READ, bytearray())
        while waiting.get_map():
            ready = waiting.select(60)
            if not ready:
                raise SystemExit(f"{len(waiting.get_map())} clients did not get the last record")
            for key, _ in ready:
                part = key.fileobj.recv(1 << 18)
                if not part:
                    raise SystemExit("a client was disconnected")
                key.data[:] = key.data[-64:] + part
                if last in key.data:
                    waiting.unregister(key.fileobj)
    return {"seconds": time.monotonic() - start, "cpu ms": server.cpu_since(before)}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", help="a built taffrail", default=ROOT / ".build/release/taffrail")
    parser.add_argument("--batches", type=int, default=1_000)
    parser.add_argument("--clients", type=int, default=200)
    options = parser.parse_args()
    server = Server(options.program)
    try:
        result = {"idle ms in 10 s": idle(server)}
        result["otlp"] = throughput(server, options.batches)
        result["stream"] = watch(server, options.clients, 2_000)
        result["peak MiB"] = server.memory()
    finally:
        server.end()
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
