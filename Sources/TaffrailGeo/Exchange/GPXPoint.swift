internal import Taffrail
internal import TaffrailText

/// The points of GPX 1.1.
package enum GPXPoint {
    /// Appends the start tag of a point, such as `<trkpt lat="55.5" lon="12.5">`.
    package static func begin(_ tag: StaticString, at coordinate: Coordinate, to bytes: inout [UInt8]) {
        bytes.append("<")
        bytes.append(tag)
        bytes.append(" lat=\"")
        bytes.append(real: rounded(coordinate.latitude), exponent: false)
        bytes.append("\" lon=\"")
        // The schema does not allow 180°, which is the same meridian as −180°.
        let longitude = rounded(coordinate.longitude)
        bytes.append(real: longitude == 180 ? -180 : longitude, exponent: false)
        bytes.append("\">")
    }

    /// Rounds degrees to nine decimals (a tenth of a millimetre), the limit of many programs.
    private static func rounded(_ degrees: Double) -> Double { (degrees * 1e9).rounded() / 1e9 }
}
