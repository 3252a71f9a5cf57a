internal import Taffrail
internal import TaffrailQuery
internal import TaffrailText

/// The login of browsers.
extension Receiver {
    /// Returns whether a browser requests a page to show.
    static func isPage(_ request: ServerRequest) -> Bool {
        request.method == "GET" && request.header("accept")?.lowercased().contains("text/html") == true
    }

    /// Opens the login page instead of the requested page.
    func redirect(toLoginFrom request: ServerRequest) -> ServerRoute {
        ServerRoute(bodyLimit: 0) { request in
            // All other characters of a path are valid in a query.
            let path = request.target.text.replacing("%", with: "%25").replacing("&", with: "%26")
                .replacing("+", with: "%2B").replacing("#", with: "%23")
            return Self.seeOther(path == "/" ? "/login" : "/login?next=" + path)
        }
    }

    private static func seeOther(_ path: String) -> ServerAnswer {
        var answer = ServerAnswer(303)
        answer.headers.append(("location", path))
        return answer
    }

    private static func wantsJSON(_ request: ServerRequest) -> Bool {
        request.header("accept")?.lowercased().contains("application/json") == true
    }

    /// Returns the login page or, if the browser is already logged in, the page that it requested.
    func loginPage(_ request: ServerRequest) -> ServerAnswer {
        let next = LoginPage.local(request.target.parameter("next"))
        let isLoggedIn = request.header("authorization") == nil && (try? gate.access(of: request)) != nil
        return isLoggedIn ? Self.seeOther(next ?? "/") : LoginPage.answer(next: next)
    }

    /// Answers a form with a token: with a page and a cookie, or with JSON for a script.
    func logIn(_ request: ServerRequest) -> ServerAnswer {
        let form = FormFields(request.body)
        let next = LoginPage.local(form?.first("next"))
        do throws(Problem) {
            guard gate.needsTokens else { throw Problem(404, "no tokens are required here") }
            guard let token = form?.first("token"), !token.isEmpty else { throw .bad("the form has no token") }
            let (access, cookie, session) = try gate.logIn(token, request)
            note(access, ReceiverAction.login.rawValue, request, isLoggedEachTime: true, isLogin: true)
            var answer = Self.wantsJSON(request) ? Self.answer(access, session) : Self.seeOther(next ?? "/")
            answer.headers.append(("set-cookie", BrowserSessions.setCookie(cookie, isSecure: settings.isSecure)))
            return answer
        } catch {
            reportRefusal(error, of: request)
            var problem = error
            // The page already prompts for the token.
            problem.isForScript = true
            return Self.wantsJSON(request) ? problem.answer : LoginPage.answer(next: next, problem: problem)
        }
    }

    /// Ends the session.
    func logOut(_ request: ServerRequest) throws(Problem) -> ServerAnswer {
        try gate.logOut(request)
        var answer = Self.wantsJSON(request) ? ServerAnswer.json("{}") : Self.seeOther("/login")
        answer.headers.append(("set-cookie", BrowserSessions.setCookie(nil, isSecure: settings.isSecure)))
        return answer
    }

    /// Returns the roles of the client, the CSRF token of a browser, and whether alerts are configured.
    func session(_ request: ServerRequest, _ access: Access) -> ServerAnswer {
        Self.answer(access, gate.session(of: request), hasAlerts: settings.queries?.hasAlerts == true)
    }

    private static func answer(
        _ access: Access, _ session: BrowserSessions.Session?, hasAlerts: Bool = false
    ) -> ServerAnswer {
        var object = JSONObject()
        object.add("roles", Access.Roles.names.filter { access.roles.contains($0.role) }.map { $0.name })
        for (name, value) in [("device", access.device), ("name", access.label), ("csrf", session?.csrf)] {
            if let value, !value.isEmpty { object.add(name, value) }
        }
        if hasAlerts { object.add("alerts", true) }
        return ServerAnswer(200, "application/json", object.closed)
    }
}
