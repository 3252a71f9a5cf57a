internal import Taffrail

extension OfflineGeocoder {
    /// The default path of a database: the value of `TAFFRAIL_GEOCODER`, or the first existing one of
    /// `$XDG_DATA_HOME/taffrail/geocoder.db` (default `~/.local/share`), `/usr/local/share/taffrail/geocoder.db` and
    /// `/usr/share/taffrail/geocoder.db`; the first of these if none exists.
    public static var standardPath: String {
        if let path = Environment["TAFFRAIL_GEOCODER"], !path.isEmpty { return path }
        var directories: [String] = []
        if let home = Environment["XDG_DATA_HOME"], home.hasPrefix("/") {
            directories.append(home)
        } else if let home = Environment["HOME"], home.hasPrefix("/") {
            directories.append(home + "/.local/share")
        }
        directories += ["/usr/local/share", "/usr/share"]
        let paths = directories.map { $0 + "/taffrail/geocoder.db" }
        return paths.first(where: FileName.exists) ?? paths[0]
    }
}
