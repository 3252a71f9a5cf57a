package import Taffrail

/// A JSON object on one line, written member by member.
package struct JSONObject {
    @usableFromInline var text: [UInt8]

    /// Creates an object without members.
    ///
    /// - Parameter count: The approximate number of bytes of the object.
    package init(reservingCapacity count: Int = 0) {
        text = [UInt8(ascii: "{")]
        text.reserveCapacity(count)
    }

    fileprivate init(text: [UInt8]) { self.text = text }

    /// The object.
    package var closed: [UInt8] { text + [UInt8(ascii: "}")] }
    /// The object as a string.
    package var string: String { String(decoding: closed, as: UTF8.self) }

    @usableFromInline
    mutating func add(_ name: String) {
        if text.last != UInt8(ascii: "{") { text.append(UInt8(ascii: ",")) }
        text.append(json: name)
        text.append(UInt8(ascii: ":"))
    }

    package mutating func add(_ name: String, _ value: String) {
        add(name)
        text.append(json: value)
    }

    /// Adds a string, unless it is `nil`.
    package mutating func add(_ name: String, known value: String?) {
        if let value { add(name, value) }
    }

    package mutating func add(_ name: String, _ values: [String]) {
        add(name)
        text.append(json: LogValue.array(values.map { .string($0) }))
    }

    /// Adds a number, or null.
    package mutating func add(_ name: String, _ value: Double?) {
        add(name)
        if let value, value.isFinite { text.append(real: value) } else { text.append("null") }
    }

    /// Adds an integer, unless it is `nil`.
    package mutating func add(_ name: String, whole value: (some BinaryInteger)?) {
        guard let value else { return }
        add(name)
        if let number = Int(exactly: value) {
            text.append(decimal: number)
        } else {
            text.append(contentsOf: "\(value)".utf8)
        }
    }

    package mutating func add(_ name: String, _ value: Bool) { add(name, json: "\(value)") }

    /// Adds a time, to the nanosecond.
    package mutating func add(_ name: String, _ time: Timestamp) {
        add(name)
        text.append("\"")
        RFC3339.append(time, decimals: 9, to: &text)
        text.append("\"")
    }

    /// Adds a value of any type.
    package mutating func add(_ name: String, value: LogValue) {
        add(name)
        text.append(json: value)
    }

    /// Adds another object.
    package mutating func add(_ name: String, _ object: JSONObject) { add(name, json: object.string) }

    /// Adds a list of objects.
    package mutating func add(_ name: String, _ objects: [JSONObject]) {
        add(name, json: "[\(objects.map(\.string).joined(separator: ","))]")
    }

    /// Adds an object; `body` adds its members.
    package mutating func add(_ name: String, _ body: (inout JSONObject) -> Void) {
        add(name)
        text.append(UInt8(ascii: "{"))
        body(&self)
        text.append(UInt8(ascii: "}"))
    }

    /// Adds a list of objects, one per element; `body` adds the members of each.
    @inlinable
    package mutating func add<Element>(
        _ name: String, _ elements: [Element], _ body: (inout JSONObject, Element) -> Void
    ) {
        add(name)
        text.append(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            text.append(UInt8(ascii: "{"))
            body(&self, element)
            text.append(UInt8(ascii: "}"))
        }
        text.append(UInt8(ascii: "]"))
    }

    /// Adds a list; `elements` appends its elements, objects with `append(element:)`.
    package mutating func add(list name: String, _ elements: (inout [UInt8]) -> Void) {
        add(name)
        text.append(UInt8(ascii: "["))
        elements(&text)
        text.append(UInt8(ascii: "]"))
    }

    /// Adds a value that is already JSON.
    package mutating func add(_ name: String, json value: String) {
        add(name)
        text.append(contentsOf: value.utf8)
    }
}

extension [UInt8] {
    /// Appends an object, in place; `members` adds its members.
    package mutating func append(object members: (inout JSONObject) -> Void) {
        var object = JSONObject(text: [])
        swap(&object.text, &self)
        object.text.append(UInt8(ascii: "{"))
        members(&object)
        object.text.append(UInt8(ascii: "}"))
        swap(&object.text, &self)
    }

    /// Appends an object to a list, with a comma if it is not the first element.
    package mutating func append(element members: (inout JSONObject) -> Void) {
        if last != UInt8(ascii: "[") { append(UInt8(ascii: ",")) }
        append(object: members)
    }
}
