/// The start page of a server without a viewer.
enum StartPage {
    /// Returns the page.
    ///
    /// - Parameter csrf: The CSRF token with which the browser can log out; `nil` if it is not logged in.
    static func answer(csrf: String?) -> ServerAnswer {
        let logout = csrf.map { csrf in
            """
            <form method="post" action="/logout"><input type="hidden" name="csrf" value="\(AccessPage.escaped(csrf))">
            <button>Log out</button></form>
            """
        }
        let text = "<p>This server receives records. With the option <code>log_store</code> it shows them here.</p>"
        return AccessPage.answer(200, title: "Taffrail", text + (logout ?? ""))
    }
}
