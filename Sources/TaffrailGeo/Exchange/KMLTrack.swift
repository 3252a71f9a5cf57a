package import Taffrail
internal import TaffrailText

/// The tracks of KML 2.2 with Google's extension: positions with times.
package enum KMLTrack {
    /// Appends the start of a track.
    ///
    /// - Parameter hasAltitudes: Without altitudes a track is clamped to the ground.
    package static func begin(hasAltitudes: Bool, to bytes: inout [UInt8]) {
        bytes.append("<gx:Track><altitudeMode>")
        bytes.append(hasAltitudes ? "absolute" : "clampToGround")
        bytes.append("</altitudeMode>\n")
    }

    /// Appends a position.
    ///
    /// - Parameter time: A track has as many times as coordinates; an unknown one is empty.
    package static func append(
        _ coordinate: Coordinate, altitude: Double, at time: Timestamp?, to bytes: inout [UInt8]
    ) {
        bytes.append("<when>")
        if let time { RFC3339.append(time, to: &bytes) }
        bytes.append("</when><gx:coord>")
        bytes.append(real: coordinate.longitude, exponent: false)
        bytes.append(" ")
        bytes.append(real: coordinate.latitude, exponent: false)
        bytes.append(" ")
        bytes.append(real: altitude, exponent: false)
        bytes.append("</gx:coord>\n")
    }
}
