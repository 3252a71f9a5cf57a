internal import TaffrailText

/// The documents of KML 2.2 with Google's extension.
package enum KMLDocument {
    /// Appends the start of a document with a name.
    package static func begin(_ name: String, to bytes: inout [UInt8]) {
        bytes.append(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">
            <Document><name>
            """)
        bytes.append(xml: name)
        bytes.append("</name>\n")
    }
}
