"""The server is killed and started again: the page continues by itself."""

import signal

from playwright.sync_api import expect

import records
from browser import rows


def run(server, browser):
    server.log(records.lines(100))
    page = browser.page("?tab=logs", allowed=["Failed to load resource", "ERR_"])
    expect(page.locator("#row-0")).to_contain_text("record 99")
    server.end(signal.SIGKILL)
    expect(page.locator(".list-status")).to_contain_text("connection is lost")
    assert rows(page).count() > 10, "the records are gone"
    server.start()
    server.log([{"time": records.time(1000), "message": "after the restart"}])
    expect(page.locator("#row-0")).to_contain_text("after the restart")
    expect(page.locator(".list-status")).to_be_hidden()
