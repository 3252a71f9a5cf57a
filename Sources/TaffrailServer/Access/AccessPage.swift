/// A page without scripts and styles.
enum AccessPage {
    /// Returns the page.
    ///
    /// - Parameters:
    ///   - title: Its title, as HTML.
    ///   - content: The content after the heading, as HTML.
    static func answer(_ status: Int, title: String, _ content: String) -> ServerAnswer {
        let page = """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
            <title>\(title)</title></head>
            <body><h1>Taffrail</h1>\(content)</body></html>

            """
        var answer = ServerAnswer(status, "text/html; charset=utf-8", Array(page.utf8))
        // Not "no-referrer": browsers would then send no origin with a form.
        answer.headers += [
            ("referrer-policy", "same-origin"), ("x-frame-options", "DENY"),
            (
                "content-security-policy",
                "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
            ),
        ]
        return answer
    }

    /// Escapes a string for HTML.
    static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
    }
}
