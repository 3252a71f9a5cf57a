"""Runs scenarios: `run.py TAFFRAIL DIRECTORY NAME…`. The exit status is 0 if all of them hold.

They share one browser, each with contexts of its own, and have a server and a directory each.
"""

import importlib
import os
import sys
import time
import traceback

from playwright.sync_api import sync_playwright

from browser import Browser, Chromium
from server import Server


def main():
    taffrail, directory, *names = sys.argv[1:]
    failed = []
    with sync_playwright() as playwright, Chromium(playwright) as chromium:
        for name in names:
            folder = os.path.join(directory, name)
            os.mkdir(folder)
            environment = dict(os.environ)
            start = time.monotonic()
            try:
                scenario = importlib.import_module(f"scenario_{name}")
                with Server(taffrail, folder) as server, Browser(chromium, server) as browser:
                    scenario.run(server, browser)
            except Exception:
                traceback.print_exc()
                failed.append(name)
            os.environ.clear()
            os.environ.update(environment)
            print(f"{name}: {'failed' if name in failed else 'holds'}, {time.monotonic() - start:.1f} s", flush=True)
    sys.exit(f"failed: {', '.join(failed)}" if failed else 0)


main()
