#!/usr/bin/env python3
"""ClickHouse's HTTP interface on loopback, with its engine in this process (PyPI's chdb): POST /?query=SQL, or the query as the body.

    clickhouse.py PORT DIRECTORY

Settings of the address apply to queries. With CLICKHOUSE_PASSWORD in the environment only its CLICKHOUSE_USER (or default) may ask.
"""
import base64
import gzip
import http.server
import os
import re
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

password = os.environ.get("CLICKHOUSE_PASSWORD")
allowed = f"{os.environ.get('CLICKHOUSE_USER', 'default')}:{password}"
# The parameters of an address that are not settings.
OTHERS = {"query", "default_format", "database", "wait_end_of_query", "readonly", "user", "password", "compress"}


def execute(values, body):
    query = values.get("query", [""])[0]
    if not query and (head := re.match(rb"\s*INSERT\s[^\n]*\sFORMAT\s+\w+[ \t]*\n", body, re.IGNORECASE)):
        query, body = head[0].decode(), body[head.end():]
    if re.match(r"\s*INSERT\s.*\sFORMAT\s", query, re.IGNORECASE | re.DOTALL):
        # The rows are read from a file, because queries of this engine are text.
        target, form = query.rsplit("FORMAT", 1)
        with tempfile.NamedTemporaryFile() as file:
            file.write(body)
            file.flush()
            with lock:
                return engine.query(f"{target} FROM INFILE '{file.name}' COMPRESSION 'none' FORMAT {form}")
    query += body.decode()
    if re.match(r"\s*(SELECT|WITH)\b", query, re.IGNORECASE):
        settings = [f"{name}={value[0]}" for name, value in values.items() if name not in OTHERS]
        query += " SETTINGS " + ", ".join(settings) if settings else ""
    elif values.get("readonly", ["0"])[0] != "0":
        raise RuntimeError("Code: 164. DB::Exception: Cannot execute query in readonly mode. (READONLY)")
    with lock:
        return engine.query(query, values.get("default_format", ["TabSeparated"])[0])


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def body(self):
        body = self.raw_body()
        return gzip.decompress(body) if self.headers.get("Content-Encoding") == "gzip" else body

    def raw_body(self):
        if self.headers.get("Transfer-Encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        parts = []
        while size := int(self.rfile.readline().split(b";")[0], 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(parts)

    def is_allowed(self):
        kind, _, text = self.headers.get("Authorization", "").partition(" ")
        return password is None or (kind == "Basic" and base64.b64decode(text).decode() == allowed)

    def do_POST(self):
        body = self.body()
        values = urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query)
        code = None
        try:
            if not self.is_allowed():
                raise RuntimeError("Code: 516. DB::Exception: Authentication failed. (AUTHENTICATION_FAILED)")
            answer = execute(values, body)
            status, text = 200, answer.bytes() if answer else b""
        except Exception as error:
            print(error, file=sys.stderr, flush=True)
            code = re.match(r"Code: (\d+)", str(error))
            status, text = 403 if code and code[1] == "516" else 500, f"{error}\n".encode()
        self.send_response(status)
        if code:
            self.send_header("X-ClickHouse-Exception-Code", code[1])
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_POST

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
print(server.server_port, flush=True)
server.serve_forever()
