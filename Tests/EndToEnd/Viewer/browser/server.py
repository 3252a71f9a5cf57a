"""`taffrail serve` with data of its own."""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import time


class Server:
    """The program. Its port stays the same over restarts."""

    def __init__(self, taffrail, directory):
        self.taffrail = taffrail
        self.directory = directory
        # Bound, but without a listener: while the server is down the system gives the port to no other one.
        self.reserved = socket.socket()
        self.reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.reserved.bind(("127.0.0.1", 0))
        self.port = self.reserved.getsockname()[1]
        self.starts = 0
        # Further options of the command, and the token of the scenario's own requests.
        self.options = []
        self.token = None
        # Another command than `taffrail serve`.
        self.command = None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.end(signal.SIGTERM)
        self.reserved.close()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/"

    def start(self, limit=120):
        self.starts += 1
        errors = os.path.join(self.directory, f"errors-{self.starts}")
        with open(errors, "wb") as file:
            command = self.command or [
                "serve", "--bind", f"127.0.0.1:{self.port}", "--data", os.path.join(self.directory, "data"), *self.options]
            self.process = subprocess.Popen(
                [self.taffrail, *command],
                stdin=subprocess.DEVNULL, stdout=file, stderr=file,
                # Of its own records, none that are expected; a configuration has its own level.
                env=os.environ | ({} if self.command else {"TAFFRAIL_LEVEL": "warning"}))

        def listens():
            with open(errors, encoding="utf-8") as file:
                text = file.read()
            assert self.process.poll() is None, text
            return re.search(r"^(?:.*listens on )?http://127\.0\.0\.1:(\d+)", text, re.MULTILINE)

        self.port = int(eventually(listens, limit)[1])

    def end(self, number):
        self.process.send_signal(number)
        self.process.wait()

    def view(self, *arguments, limit=120):
        """Ends the program, and starts `taffrail view` with arguments instead."""
        self.end(signal.SIGTERM)
        self.command = ["view", *arguments]
        self.start(limit)

    def request(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        connection.request(method, path, body, {"authorization": f"Bearer {self.token}"} if self.token else {})
        response = connection.getresponse()
        answer = response.read()
        connection.close()
        assert response.status == 200, f"{method} {path}: {response.status} {answer[:500]}"
        return json.loads(answer) if answer else None

    def log(self, records):
        """Sends records, and waits until a query finds them."""
        before = self.count()
        for start in range(0, len(records), 500):
            self.request("POST", "/logs", "\n".join(map(json.dumps, records[start : start + 500])).encode())
        eventually(lambda: self.count() >= before + len(records))

    def move(self, positions):
        """Sends positions as Overland does, and waits until a query finds them."""
        before = self.count()
        for start in range(0, len(positions), 500):
            self.request("POST", "/overland", json.dumps({"locations": positions[start : start + 500]}).encode())
        eventually(lambda: self.count() >= before + len(positions))

    def count(self):
        try:
            return self.request("GET", "/api/histogram")["total"]
        except AssertionError:
            # The store appears with its first record.
            return 0


def eventually(condition, limit=120):
    """What a condition returns, once that is true. The limit is generous: only what fails waits so long."""
    end = time.monotonic() + limit
    while True:
        value = condition()
        if value:
            return value
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)
