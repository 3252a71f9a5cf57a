internal import TaffrailText

/// The documents of GPX 1.1.
package enum GPXDocument {
    /// Appends the start of a document.
    ///
    /// - Parameter namespaces: The declarations for extensions, each after a space.
    package static func begin(_ namespaces: StaticString = "", to bytes: inout [UInt8]) {
        bytes.append(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <gpx version="1.1" creator="Taffrail" xmlns="http://www.topografix.com/GPX/1/1"
            """)
        bytes.append(namespaces)
        bytes.append(">\n")
    }
}
