package import TaffrailText

/// A JSON object from gpsd, reduced to the values that are used. The keys are in any order, and vary between releases.
package struct GPSDObject {
    private var numbers: [String: Double] = [:]
    private var texts: [String: String] = [:]
    private var lists: [String: [GPSDObject]] = [:]

    /// Parses one line.
    package init(_ line: [UInt8]) throws(ReadError) {
        var reader = JSONReader(line, isStrict: false)
        guard try reader.next() == .beginObject else { throw reader.error("expected an object") }
        try self.init(&reader, level: 0)
        guard try reader.next() == .end else { throw reader.error("expected one object per line") }
    }

    private init(_ reader: inout JSONReader, level: Int) throws(ReadError) {
        while try reader.nextKey() {
            let key = reader.text
            switch try reader.next() {
            case .number: numbers[key] = reader.number
            case .true: numbers[key] = 1
            case .false: numbers[key] = 0
            case .string: texts[key] = reader.text
            case .beginArray where level == 0: lists[key] = try Self.list(&reader)
            case .beginArray: try reader.skip(.beginArray)
            case .beginObject: try reader.skip(.beginObject)
            default: break
            }
        }
    }

    /// Reads the objects of an array; other elements are ignored.
    private static func list(_ reader: inout JSONReader) throws(ReadError) -> [GPSDObject] {
        var objects: [GPSDObject] = []
        while true {
            switch try reader.next() {
            case .endArray: return objects
            case .beginObject: objects.append(try GPSDObject(&reader, level: 1))
            case .beginArray: try reader.skip(.beginArray)
            default: break
            }
        }
    }

    /// Returns a finite number; `nil` when it is missing or not a number.
    func number(_ key: String) -> Double? { numbers[key] }

    /// Returns a number of 0 or more.
    func size(_ key: String) -> Double? { numbers[key].flatMap { $0 >= 0 ? $0 : nil } }

    /// Returns an integer.
    func whole(_ key: String) -> Int? { numbers[key].flatMap { Int(exactly: $0) } }

    /// Returns a string.
    package func text(_ key: String) -> String? { texts[key] }

    /// Returns the objects of an array.
    func list(_ key: String) -> [GPSDObject]? { lists[key] }
}
