/// A value that can be written as text: an encoded attribute's value or a ``LogValue``.
protocol ReadableValue {
    var kind: AttributeCodec.Kind { get }
    /// An integer, or the nanoseconds of a date.
    var int: Int64 { get }
    var double: Double { get }
    var bool: Bool { get }

    /// Calls `body` with a string's UTF-8, or bytes.
    func withBytes(_ body: (UnsafeRawBufferPointer) -> Void)

    /// Calls `body` with each element of a list or map, and its key in a map.
    func forEachElement(_ body: (UnsafeRawBufferPointer, Self) -> Void)
}

extension AttributeCodec.Entry: ReadableValue {
    @inline(__always)
    func withBytes(_ body: (UnsafeRawBufferPointer) -> Void) { body(value) }

    func forEachElement(_ body: (UnsafeRawBufferPointer, Self) -> Void) {
        var rest = value
        while let element = AttributeCodec.next(&rest) { body(element.key, element) }
    }
}
