#if Store
internal import Taffrail

/// The default paths of stores.
enum StatePath {
    /// Returns a file in `$STATE_DIRECTORY`, which systemd sets, else in `$XDG_STATE_HOME/PROGRAM` (by default
    /// `~/.local/state/PROGRAM`).
    static func file(_ name: String) -> String {
        if let state = Environment["STATE_DIRECTORY"]?.split(separator: ":").first, state.hasPrefix("/") {
            return state + "/" + name
        }
        let base = Environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return (base ?? Environment.home + "/.local/state") + "/" + Environment.program + "/" + name
    }
}
#endif
