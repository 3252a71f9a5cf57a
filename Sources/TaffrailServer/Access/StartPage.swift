/// The first page of a server that has no viewer.
enum StartPage {
    /// Returns the page.
    ///
    /// - Parameter csrf: The CSRF token of a browser that is logged in, which can log out here; `nil`: it is not.
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
