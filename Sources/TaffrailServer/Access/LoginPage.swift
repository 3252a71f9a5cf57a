internal import TaffrailText

/// The page on which a browser logs in with a token.
enum LoginPage {
    /// The page.
    ///
    /// - Parameters:
    ///   - next: The path of the page to open afterwards.
    ///   - problem: Why the last attempt has failed; `nil`: there was none.
    static func answer(next: String?, problem: Problem? = nil) -> ServerAnswer {
        let message = problem.map { "<p role=\"alert\">\(escaped($0.detail))</p>" } ?? ""
        let target = next.map { "<input type=\"hidden\" name=\"next\" value=\"\(escaped($0))\">" } ?? ""
        let page = """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
            <title>Log in – Taffrail</title></head>
            <body><h1>Taffrail</h1>\(message)
            <form method="post" action="/login"><label>Token
            <input type="password" name="token" autocomplete="current-password" required autofocus></label>\(target)
            <button>Log in</button></form></body></html>

            """
        var answer = ServerAnswer(problem?.status ?? 200, "text/html; charset=utf-8", Array(page.utf8))
        // Not "no-referrer": browsers would then send no origin with the form.
        answer.headers += [
            ("referrer-policy", "same-origin"), ("x-frame-options", "DENY"),
            (
                "content-security-policy",
                "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
            ),
        ]
        return problem?.completed(answer) ?? answer
    }

    /// The path of a page of this server; `nil` for anything else.
    static func local(_ path: String?) -> String? {
        guard let path, path.utf8.count <= 2_048, path.utf8.allSatisfy({ $0 > 32 && $0 < 127 }),
            ServerTarget(path) != nil
        else { return nil }
        return path
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
    }
}
