#!/usr/bin/env python3
"""ClickHouse's HTTP interface on loopback, with its engine in this process (PyPI's chdb): POST /?query=SQL, or the query as the body.

    clickhouse.py PORT DIRECTORY
"""
import http.server
import os
import sys
import tempfile
import threading
import urllib.parse

from chdb import session

port, directory = int(sys.argv[1]), sys.argv[2]
engine = session.Session(directory)
# The engine has one session.
lock = threading.Lock()
for statement in open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "otel_logs.sql")).read().split(";"):
    if statement.strip():
        engine.query(statement)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def body(self):
        if self.headers.get("Transfer-Encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        parts = []
        while size := int(self.rfile.readline().split(b";")[0], 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(parts)

    def do_POST(self):
        body = self.body()
        values = urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query)
        query = values.get("query", [""])[0]
        try:
            if query.lstrip().upper().startswith("INSERT"):
                # The rows come from a file: a query of this engine is text.
                target, form = query.rsplit("FORMAT", 1)
                with tempfile.NamedTemporaryFile() as file:
                    file.write(body)
                    file.flush()
                    with lock:
                        answer = engine.query(f"{target} FROM INFILE '{file.name}' COMPRESSION 'none' FORMAT {form}")
            else:
                with lock:
                    answer = engine.query(query + body.decode(), values.get("default_format", ["TabSeparated"])[0])
            status, text = 200, answer.bytes() if answer else b""
        except Exception as error:
            print(error, file=sys.stderr, flush=True)
            status, text = 500, f"{error}\n".encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_POST

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
print(server.server_port, flush=True)
server.serve_forever()
