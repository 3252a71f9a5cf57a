"""Chromium, in which nothing may fail."""

from playwright.sync_api import expect

# Generous: only what fails waits so long, and the machine may be busy.
expect.set_options(timeout=60_000)


class Browser:
    """A browser. Pages fail their scenario by errors, by what the content policy blocks, and by what a server lacks."""

    def __init__(self, playwright, server):
        self.playwright = playwright
        self.server = server
        self.errors = []

    def __enter__(self):
        self.browser = self.playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
        return self

    def __exit__(self, kind, *_):
        self.browser.close()
        if kind is None:
            assert not self.errors, "\n".join(self.errors)

    def context(self, width=1440, height=900, **options):
        context = self.browser.new_context(viewport={"width": width, "height": height}, timezone_id="UTC", **options)
        context.set_default_timeout(60_000)
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
