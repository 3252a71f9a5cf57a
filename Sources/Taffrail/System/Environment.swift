internal import Glibc

/// Information about the process from the system.
package enum Environment {
    /// The value of a variable; `nil` when it is missing or empty.
    package static subscript(name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }

    /// Returns whether a descriptor is a terminal.
    static func isTerminal(_ descriptor: CInt) -> Bool { isatty(descriptor) == 1 }

    /// Returns whether to write colours: to a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`.
    ///
    /// - Parameter variable: The value of a variable; `nil` when it is missing or empty.
    package static func showsColors(on descriptor: CInt, variable: (String) -> String? = { Environment[$0] }) -> Bool {
        isTerminal(descriptor) && variable("NO_COLOR") == nil && variable("TERM") != "dumb"
    }

    /// The program's name, without its directory.
    package static var program: String {
        let name = FileName.base(of: FileName.target(ofLink: "/proc/self/exe") ?? "")
        guard !name.isEmpty else { return "program" }
        // The kernel's suffix for a file that has been replaced since.
        let mark = " (deleted)"
        return name.hasSuffix(mark) ? String(name.dropLast(mark.count)) : name
    }

    /// The machine's name, from the kernel.
    package static var host: String {
        var buffer = [CChar](repeating: 0, count: 65)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return "" }
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The home directory: `$HOME`, else the user database's; empty if unknown.
    package static var home: String {
        if let home = self["HOME"] { return home }
        guard let entry = getpwuid(getuid()), let directory = entry.pointee.pw_dir else { return "" }
        return String(cString: directory)
    }

    /// The directory of the state of all programs: `$XDG_STATE_HOME`, by default `~/.local/state`.
    package static var stateHome: String {
        if let path = self["XDG_STATE_HOME"], path.hasPrefix("/") { return path }
        return home + "/.local/state"
    }
}
