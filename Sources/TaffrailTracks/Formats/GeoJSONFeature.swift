internal import Taffrail
internal import TaffrailGeo
internal import TaffrailText

/// Parses a feature of GeoJSON, with its members in any order.
struct GeoJSONFeature {
    var isKnown = false
    var point: Result<Location, ReadError>?
    var lines: [[Result<Location, ReadError>]] = []
    /// The times of the lines' positions; `nil` for an unknown one.
    var times: [[Result<Timestamp?, ReadError>]] = []
    /// The time of a point or an error; `nil` for an unknown one.
    var time = Result<Timestamp?, ReadError>.success(nil)
    /// The properties of a location, which has no coordinate yet.
    var properties = Location(latitude: .nan, longitude: .nan, timestamp: Timestamp(nanoseconds: 0))
    /// The field after the last one found: writers use this order, so the search usually ends there.
    private var expected = LocationField.altitude.rawValue
    private var type: String?
    private var code: Int?
    private var domain: String?
    private var description: String?

    /// The error of a feature without a position.
    var error: GeoError? {
        guard type == "error" else { return nil }
        return GeoError(
            domain: domain ?? GeoError.coreLocationDomain, code: code ?? 0, description: description ?? "",
            device: properties.extra.device)
    }

    init() {}

    /// Parses the rest of an object whose brace is the reader's current token.
    init(_ reader: inout JSONReader) throws(ReadError) { while try reader.nextKey() { try member(&reader) } }

    /// Parses the value of a member whose name is the reader's current token.
    mutating func member(_ reader: inout JSONReader) throws(ReadError) {
        if reader.isText("geometry") {
            isKnown = true
            if try reader.enterObject() { while try reader.nextKey() { try geometry(&reader) } }
        } else if reader.isText("properties") {
            if try reader.enterObject() { while try reader.nextKey() { try property(&reader) } }
        } else {
            // A geometry may occur without a feature around it.
            try geometry(&reader)
        }
    }

    private mutating func geometry(_ reader: inout JSONReader) throws(ReadError) {
        guard reader.isText("coordinates") else { return try reader.skipValue() }
        isKnown = true
        switch try reader.next() {
        case .null: return
        case .beginArray: break
        default: throw reader.error("expected a list of coordinates")
        }
        switch try reader.next() {
        case .endArray: return
        case let token where Self.isScalar(token): point = try position(token, &reader)
        case .beginArray: try list(&reader)
        default: throw reader.error("expected a number or a list")
        }
    }

    /// Parses a list of positions, or of such lists; its first element has been started.
    private mutating func list(_ reader: inout JSONReader) throws(ReadError) {
        var line: [Result<Location, ReadError>] = []
        var token = JSONToken.beginArray
        while token != .endArray {
            guard token == .beginArray else { throw reader.error("expected a position as a list of numbers") }
            switch try reader.next() {
            case let token where Self.isScalar(token): line.append(try position(token, &reader))
            case .beginArray: try list(&reader)
            case .endArray: break
            default: throw reader.error("expected a number or a list")
            }
            token = try reader.next()
        }
        if !line.isEmpty { lines.append(line) }
    }

    /// Returns whether a token may start a position, even an invalid one.
    private static func isScalar(_ token: JSONToken) -> Bool { token == .number || token == .string || token == .null }

    /// Parses a position, of which `first` is the first element.
    private func position(
        _ first: JSONToken, _ reader: inout JSONReader
    ) throws(ReadError) -> Result<Location, ReadError> {
        var token = first
        var numbers = SIMD3<Double>(repeating: .nan)
        var count = 0
        var problem: ReadError?
        while token != .endArray {
            if token == .number {
                if count < 3 { numbers[count] = reader.number }
            } else if count < 2 || count == 2 && token != .null {
                problem = problem ?? reader.error("expected \(Self.names[count])")
            }
            count += 1
            try reader.skip(token)
            token = try reader.next()
        }
        if count < 2 { problem = problem ?? reader.error("expected \(Self.names[1])") }
        if let problem { return .failure(problem) }
        var location = Location(latitude: numbers[1], longitude: numbers[0], timestamp: Timestamp(nanoseconds: 0))
        guard location.coordinate.isValid else { return .failure(reader.error("a point with invalid coordinates")) }
        if !numbers[2].isNaN { location.ellipsoidalAltitude = numbers[2] }
        return .success(location)
    }

    private static let names = ["a longitude", "a latitude", "an altitude"]

    /// The names in the properties of Overland.
    private static let aliases: [(name: StaticString, field: LocationField)] = [
        ("horizontal_accuracy", .horizontalAccuracy), ("vertical_accuracy", .verticalAccuracy),
        ("course_accuracy", .courseAccuracy), ("speed_accuracy", .speedAccuracy),
    ]

    private mutating func property(_ reader: inout JSONReader) throws(ReadError) {
        if reader.isText("time") || reader.isText("timestamp") {
            try readTime(&reader)
        } else if reader.isText("coordTimes") || reader.isText("times") {
            try readTimes(&reader)
        } else if let field = reader.field(expected: &expected) {
            try value(of: field, &reader)
        } else if let alias = Self.aliases.first(where: { reader.isText($0.name) }) {
            try value(of: alias.field, &reader)
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

    private mutating func value(of field: LocationField, _ reader: inout JSONReader) throws(ReadError) {
        switch field.part {
        case .motion, .receiver:
            if field == .device {
                properties.extra.device = try text(&reader)
            } else {
                properties.set(field, number: try number(&reader))
            }
        case .source:
            let token = try reader.next()
            try reader.skip(token)
            properties.set(field, .bool(token == .true))
        case .fix, .ellipsoid, .receipt: try reader.skipValue()
        }
    }

    /// Reads the time of a point or an error. Of two properties, one that can be read takes precedence.
    private mutating func readTime(_ reader: inout JSONReader) throws(ReadError) {
        let token = try reader.next()
        let found = try oneTime(token, &reader)
        switch (found, time) {
        case (.success(.some), _), (_, .success(.none)): time = found
        default: break
        }
    }

    /// Reads the times of one or several lines.
    private mutating func readTimes(_ reader: inout JSONReader) throws(ReadError) {
        let first = try reader.next()
        guard first == .beginArray else { return try reader.skip(first) }
        var line: [Result<Timestamp?, ReadError>] = []
        while true {
            let token = try reader.next()
            if token == .endArray { break }
            if token == .beginArray {
                times.append(try innerTimes(&reader))
            } else {
                line.append(try oneTime(token, &reader))
            }
        }
        if !line.isEmpty { times.append(line) }
    }

    /// Parses the times of one of several lines; its bracket is the reader's current token.
    private func innerTimes(_ reader: inout JSONReader) throws(ReadError) -> [Result<Timestamp?, ReadError>] {
        var times: [Result<Timestamp?, ReadError>] = []
        while true {
            let token = try reader.next()
            if token == .endArray { return times }
            times.append(try oneTime(token, &reader))
        }
    }

    /// Returns the time that starts with `token`; an empty string is an unknown time.
    private func oneTime(
        _ token: JSONToken, _ reader: inout JSONReader
    ) throws(ReadError) -> Result<Timestamp?, ReadError> {
        guard token == .string else {
            if token == .null { return .success(nil) }
            let problem = reader.error("expected a time")
            try reader.skip(token)
            return .failure(problem)
        }
        if let time = RFC3339.timestamp(reader.text, zoneRequired: false) { return .success(time) }
        return reader.text.isEmpty ? .success(nil) : .failure(reader.error("\(reader.text.prefix(60)) is not a time"))
    }

    // Properties are arbitrary: values of another type are ignored.

    private func number(_ reader: inout JSONReader) throws(ReadError) -> Double? {
        let token = try reader.next()
        if token == .number { return reader.number }
        try reader.skip(token)
        return nil
    }

    private func text(_ reader: inout JSONReader) throws(ReadError) -> String? {
        let token = try reader.next()
        if token == .string { return reader.text }
        try reader.skip(token)
        return nil
    }
}
