internal import Taffrail

/// What a feature of GeoJSON says, whatever the order of its members.
struct GeoJSONFeature {
    var isKnown = false
    var point: Location?
    var lines: [[Location]] = []
    var times: [[Timestamp]] = []
    var time: Timestamp?
    /// What the properties say about a location, which has no coordinate yet.
    var properties = Location(latitude: .nan, longitude: .nan, timestamp: Timestamp(nanoseconds: 0))
    private var type: String?
    private var code: Int?
    private var domain: String?
    private var description: String?

    /// The error that a feature without a place stands for.
    var error: GeoError? {
        guard type == "error" else { return nil }
        return GeoError(
            domain: domain ?? GeoError.coreLocationDomain, code: code ?? 0, description: description ?? "")
    }

    init() {}

    /// Reads the rest of an object whose brace is the reader's current token.
    init(_ reader: inout JSONReader) throws(ReadError) { while try reader.nextKey() { try member(&reader) } }

    /// Reads the value of a member whose name is the reader's current token.
    mutating func member(_ reader: inout JSONReader) throws(ReadError) {
        if reader.isText("geometry") {
            isKnown = true
            if try reader.enterObject() { while try reader.nextKey() { try geometry(&reader) } }
        } else if reader.isText("properties") {
            if try reader.enterObject() { while try reader.nextKey() { try property(&reader) } }
        } else {
            // A geometry may stand alone, without a feature around it.
            try geometry(&reader)
        }
    }

    private mutating func geometry(_ reader: inout JSONReader) throws(ReadError) {
        guard reader.isText("coordinates") else { return try reader.skipValue() }
        isKnown = true
        switch try reader.next() {
        case .null: return
        case .beginArray: break
        default: throw reader.error("coordinates are a list")
        }
        switch try reader.next() {
        case .endArray: return
        case .number: point = try position(&reader)
        case .beginArray: try list(&reader)
        default: throw reader.error("a number or a list is expected")
        }
    }

    /// A list of positions, or of such lists; its first element has begun.
    private mutating func list(_ reader: inout JSONReader) throws(ReadError) {
        var line: [Location] = []
        var token = JSONToken.beginArray
        while token != .endArray {
            guard token == .beginArray else { throw reader.error("a position is a list of numbers") }
            switch try reader.next() {
            case .number: line.append(try checked(position(&reader), reader))
            case .beginArray: try list(&reader)
            case .endArray: break
            default: throw reader.error("a number or a list is expected")
            }
            token = try reader.next()
        }
        if !line.isEmpty { lines.append(line) }
    }

    private func checked(_ location: Location, _ reader: borrowing JSONReader) throws(ReadError) -> Location {
        guard location.coordinate.isValid else { throw reader.error("a point that is not on the earth") }
        return location
    }

    /// The rest of a position whose longitude is the reader's current token.
    private func position(_ reader: inout JSONReader) throws(ReadError) -> Location {
        let longitude = reader.number
        guard try reader.next() == .number else { throw reader.error("a latitude is expected") }
        var location = Location(
            latitude: reader.number, longitude: longitude, timestamp: Timestamp(nanoseconds: 0))
        if try reader.next() == .number {
            location.ellipsoidalAltitude = reader.number
            while try reader.next() == .number {}
        }
        return location
    }

    private mutating func property(_ reader: inout JSONReader) throws(ReadError) {
        if reader.isText("time") || reader.isText("timestamp") {
            time = try text(&reader).flatMap { RFC3339.timestamp($0, zoneRequired: false) } ?? time
        } else if reader.isText("coordTimes") || reader.isText("times") {
            try readTimes(&reader)
        } else if reader.isText("altitude") {
            properties.altitude = try number(&reader)
        } else if reader.isText("horizontalAccuracy") || reader.isText("horizontal_accuracy") {
            properties.horizontalAccuracy = try size(&reader)
        } else if reader.isText("verticalAccuracy") || reader.isText("vertical_accuracy") {
            properties.verticalAccuracy = try size(&reader)
        } else if reader.isText("course") {
            properties.course = try size(&reader)
        } else if reader.isText("courseAccuracy") || reader.isText("course_accuracy") {
            properties.courseAccuracy = try size(&reader)
        } else if reader.isText("speed") {
            properties.speed = try size(&reader)
        } else if reader.isText("speedAccuracy") || reader.isText("speed_accuracy") {
            properties.speedAccuracy = try size(&reader)
        } else {
            try otherProperty(&reader)
        }
    }

    private mutating func otherProperty(_ reader: inout JSONReader) throws(ReadError) {
        if reader.isText("floor") {
            properties.floor = try number(&reader).flatMap { Int(exactly: $0) }
        } else if reader.isText("isSimulatedBySoftware") || reader.isText("isProducedByAccessory") {
            let isSimulation = reader.isText("isSimulatedBySoftware")
            let token = try reader.next()
            try reader.skip(token)
            var source = properties.sourceInformation ?? Location.SourceInformation()
            if isSimulation {
                source.isSimulatedBySoftware = token == .yes
            } else {
                source.isProducedByAccessory = token == .yes
            }
            properties.sourceInformation = source
        } else if reader.isText("climb") {
            properties.extra.climb = try number(&reader)
        } else if reader.isText("climbAccuracy") {
            properties.extra.climbAccuracy = try size(&reader)
        } else if reader.isText("geoidSeparation") {
            properties.extra.geoidSeparation = try number(&reader)
        } else if reader.isText("device") {
            properties.extra.device = try text(&reader)
        } else if reader.isText("satellites") {
            properties.extra.satellites = try size(&reader).flatMap { Int(exactly: $0) }
        } else if reader.isText("hdop") {
            properties.extra.hdop = try size(&reader)
        } else if reader.isText("vdop") {
            properties.extra.vdop = try size(&reader)
        } else if reader.isText("pdop") {
            properties.extra.pdop = try size(&reader)
        } else if reader.isText("type") {
            type = try text(&reader)
        } else if reader.isText("code") {
            code = try number(&reader).flatMap { Int(exactly: $0) }
        } else if reader.isText("domain") {
            domain = try text(&reader)
        } else if reader.isText("description") {
            description = try text(&reader)
        } else {
            try reader.skipValue()
        }
    }

    /// Times of one line, or of several.
    private mutating func readTimes(_ reader: inout JSONReader) throws(ReadError) {
        let first = try reader.next()
        guard first == .beginArray else { return try reader.skip(first) }
        var line: [Timestamp] = []
        while true {
            switch try reader.next() {
            case .endArray:
                if !line.isEmpty { times.append(line) }
                return
            case .string:
                guard let time = RFC3339.timestamp(reader.text, zoneRequired: false) else {
                    throw reader.error("\(reader.text) is no time")
                }
                line.append(time)
            case .beginArray:
                var inner: [Timestamp] = []
                while try reader.next() == .string {
                    if let time = RFC3339.timestamp(reader.text, zoneRequired: false) { inner.append(time) }
                }
                times.append(inner)
            default: throw reader.error("a time is expected")
            }
        }
    }

    // Properties are anybody's: what has another type is passed over.

    private func number(_ reader: inout JSONReader) throws(ReadError) -> Double? {
        let token = try reader.next()
        if token == .number { return reader.number }
        try reader.skip(token)
        return nil
    }

    private func size(_ reader: inout JSONReader) throws(ReadError) -> Double? {
        try number(&reader).flatMap { $0 >= 0 ? $0 : nil }
    }

    private func text(_ reader: inout JSONReader) throws(ReadError) -> String? {
        let token = try reader.next()
        if token == .string { return reader.text }
        try reader.skip(token)
        return nil
    }
}
