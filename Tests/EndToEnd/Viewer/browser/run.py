"""Runs one scenario: `run.py TAFFRAIL DIRECTORY NAME`. The exit code is 0 if it holds."""

import importlib
import sys

from playwright.sync_api import sync_playwright

from browser import Browser
from server import Server


def main():
    taffrail, directory, name = sys.argv[1:]
    scenario = importlib.import_module(f"scenario_{name}")
    with Server(taffrail, directory) as server, sync_playwright() as playwright, Browser(playwright, server) as browser:
        scenario.run(server, browser)


main()
