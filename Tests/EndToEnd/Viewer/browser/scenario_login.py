"""With tokens, a browser logs in before it sees anything, and then sees what it came for."""

import os
import signal

from playwright.sync_api import expect

import records
from browser import record


def run(server, browser):
    tokens = os.path.join(server.directory, "tokens")
    with open(tokens, "w", encoding="utf-8") as file:
        file.write("secret-of-the-reader read name=reader\nsecret-of-the-ferry ingest device=ferry\n")
    os.chmod(tokens, 0o600)
    server.end(signal.SIGTERM)
    server.options = ["--token-file", tokens]
    server.start()
    server.token = "secret-of-the-ferry"
    server.request("POST", "/logs", b'{"message":"for readers","level":"warning"}')

    page = browser.page("?q=level%3Awarning", allowed=["401 (Unauthorized)", "403 (Forbidden)", "net::ERR_FAILED"])
    assert "for readers" not in page.content()
    page.get_by_label("Token").fill("wrong")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("alert")).to_be_visible()
    page.get_by_label("Token").fill("secret-of-the-reader")
    page.get_by_role("button", name="Log in").click()
    expect(record(page, "for readers")).to_be_visible()
    assert page.get_by_label("Filter", exact=True).input_value() == "level:warning", page.url
    assert "secret" not in page.evaluate("document.cookie + location.href + JSON.stringify(localStorage)")
    # What arrives is seen, too.
    server.request("POST", "/logs", b'{"message":"live for readers","level":"warning"}')
    expect(record(page, "live for readers")).to_be_visible()
    # Once the session has ended, a request leads to the log-in and back. The search is the first one: what the page requests
    # on its own would lead there, too, and from there to the search before.
    page.route("**/*", pass_only_the_search)
    page.context.clear_cookies()
    page.get_by_label("Filter", exact=True).fill("level:error")
    page.get_by_label("Filter", exact=True).press("Enter")
    expect(page.get_by_label("Token")).to_be_visible()
    page.unroute("**/*")
    page.get_by_label("Token").fill("secret-of-the-reader")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_label("Filter", exact=True)).to_have_value("level:error")


def pass_only_the_search(route):
    request = route.request
    if request.resource_type == "fetch" and "level%3Aerror" not in request.url:
        route.abort()
    else:
        route.continue_()
