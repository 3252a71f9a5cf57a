"""Chromium, in which nothing may fail."""

import os

from playwright.sync_api import expect

# Generous: only what fails waits so long, and the machine may be busy.
expect.set_options(timeout=60_000)


class Chromium:
    """The program, which several scenarios use one after another."""

    def __init__(self, playwright):
        self.playwright = playwright
        self.program = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.program:
            self.program.close()

    def context(self, **options):
        """A context, of a new program if the last one has crashed."""
        if not self.program or not self.program.is_connected():
            self.program = self.playwright.chromium.launch(
                executable_path="/usr/bin/chromium-headless-shell", args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
        return self.program.new_context(**options)


class Browser:
    """The contexts of a scenario. Pages fail it by errors, by what the content policy blocks, and by what a server lacks."""

    def __init__(self, chromium, server):
        self.chromium = chromium
        self.server = server
        self.contexts = []
        self.errors = []

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        for context in self.contexts:
            context.close()
        if kind is None:
            assert not self.errors, "\n".join(self.errors)
        elif self.errors:
            print("errors of the pages:", *self.errors, sep="\n")

    def context(self, width=1440, height=900, **options):
        context = self.chromium.context(viewport={"width": width, "height": height}, timezone_id="UTC", **options)
        context.set_default_timeout(60_000)
        self.contexts.append(context)
        return context

    def page(self, address="", context=None, allowed=(), **options):
        """A page of the viewer, with its records loaded.

        `allowed`: parts of messages that are no errors here.
        """
        page = (context or self.context(**options)).new_page()

        def report(text):
            if not any(part in text for part in allowed):
                self.errors.append(text)

        page.on("console", lambda message: report(message.text) if message.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: report(f"{error}\n{error.stack}"))
        page.add_init_script(
            "addEventListener('securitypolicyviolation', (event) => console.error('blocked', event.violatedDirective, event.blockedURI))")
        page.goto(self.server.url + address)
        return page


def rows(page):
    return page.locator("#records .row:visible")


def messages(page):
    """The messages that are seen, from top to bottom."""
    return page.evaluate("""() => [...document.querySelectorAll('#records .row')]
        .sort((left, right) => left.dataset.index - right.dataset.index)
        .map((row) => row.querySelector('.message').textContent)""")


def record(page, message):
    """The row of a message."""
    return page.locator("#records .row").filter(has=page.get_by_text(message, exact=True))


def watch_tasks(page):
    """Notes the tasks of more than 50 ms from now on, as the browser reports them."""
    page.evaluate("""() => {
        window.long = []
        new PerformanceObserver((list) => window.long.push(...list.getEntries().map((one) => one.duration))).observe({ type: 'longtask' })
    }""")


def check_tasks(page, what):
    """Prints the longest of these tasks; in the long form of the tests there may be none."""
    found = page.evaluate("window.long.splice(0)")
    print(f"{what}: longest task, ms:", max(found, default=0))
    if "TAFFRAIL_SOAK" in os.environ:
        assert all(duration <= 50 for duration in found), f"{what}: {found}"
