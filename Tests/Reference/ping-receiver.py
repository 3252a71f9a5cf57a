#!/usr/bin/env python3
"""A receiver of pings that has a ping on disk before it confirms it, and can be killed.

Usage: ping-receiver.py FILE PORT [FAULTS]

Each new ping becomes a line of FILE. One with the device, time and coordinates of an earlier one only changes when that was
last seen. FILE.requests has a line for each request that has a ping: the header Idempotency-Key, and the body. With FAULTS, every so many requests one is answered with 503, and another is kept, but its answer is lost.
POST takes pings at any path, GET /logs returns FILE, GET /health the number of pings.
"""
import http.server
import json
import os
import sys
import threading

path, port = sys.argv[1], int(sys.argv[2])
faults = int(sys.argv[3]) if len(sys.argv) > 3 else 0
lock = threading.Lock()
seen = {}
requests = 0


def identity(ping):
    return (ping["deviceId"], ping["timestamp"], ping["latitude"], ping["longitude"])


with open(path, "a+b") as file:
    file.seek(0)
    whole = 0
    for line in file:
        if line.endswith(b"\n"):
            seen[identity(json.loads(line))] = 1
            whole += len(line)
    file.truncate(whole)
log = open(path, "ab")
every = open(path + ".requests", "ab")


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, body=b"", kind="application/json"):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        global requests
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with lock:
            requests += 1
            number = requests
            if faults and number % faults == 1:
                return self.answer(503)
            try:
                ping = json.loads(body)
                key = identity(ping)
            except (ValueError, KeyError, TypeError):
                return self.answer(400)
            every.write(self.headers["Idempotency-Key"].encode() + b" " + body + b"\n")
            every.flush()
            if key not in seen:
                log.write(json.dumps(ping).encode() + b"\n")
                log.flush()
                os.fsync(log.fileno())
            seen[key] = seen.get(key, 0) + 1
        if faults and number % faults == 2:
            self.close_connection = True
            return None
        return self.answer(200, b'{"ok":true}')

    def do_GET(self):
        if self.path == "/health":
            return self.answer(200, json.dumps({"ok": True, "pings": len(seen)}).encode())
        if self.path == "/logs":
            with open(path, "rb") as file:
                return self.answer(200, file.read(), "application/x-ndjson")
        return self.answer(404)

    def log_message(self, *arguments):
        pass


class Server(http.server.ThreadingHTTPServer):
    allow_reuse_address = True


server = Server(("127.0.0.1", port), Handler)
print(server.server_port, flush=True)
server.serve_forever()
