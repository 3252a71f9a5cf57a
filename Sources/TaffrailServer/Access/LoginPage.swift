/// The page on which a browser logs in with a token.
enum LoginPage {
    /// Returns the page.
    ///
    /// - Parameters:
    ///   - next: The path of the page to open afterwards.
    ///   - problem: Why the last attempt failed; `nil`: there was no attempt.
    static func answer(next: String?, problem: Problem? = nil) -> ServerAnswer {
        let message = problem.map { "<p role=\"alert\">\(AccessPage.escaped($0.detail))</p>" } ?? ""
        let path = next.map(AccessPage.escaped)
        let target = path.map { "<input type=\"hidden\" name=\"next\" value=\"\($0)\">" } ?? ""
        // Browsers do not send the cookie when they follow a link of another site.
        let link = path.map { "<p><a href=\"\($0)\">Already logged in</a></p>" } ?? ""
        let form = """
            <form method="post" action="/login"><label>Token
            <input type="password" name="token" autocomplete="current-password" required autofocus></label>\(target)
            <button>Log in</button></form>
            """
        let answer = AccessPage.answer(problem?.status ?? 200, title: "Log in – Taffrail", message + form + link)
        return problem?.completed(answer) ?? answer
    }

    /// Returns the path of a page of this server; `nil` for anything else.
    static func local(_ path: String?) -> String? {
        guard let path, path.utf8.count <= 2_048, path.utf8.allSatisfy({ $0 > 32 && $0 < 127 }),
            ServerTarget(path) != nil
        else { return nil }
        return path
    }
}
