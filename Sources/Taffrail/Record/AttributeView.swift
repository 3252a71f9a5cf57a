/// An attribute in the queue's memory, valid only as long as its record.
package struct AttributeView {
    private let entry: AttributeCodec.Entry

    init(_ entry: AttributeCodec.Entry) { self.entry = entry }

    /// The name's UTF-8.
    package var key: UnsafeRawBufferPointer { entry.key }
    /// A copy of the value.
    package var value: LogValue { AttributeCodec.value(entry) }
    /// The UTF-8 of a string, not copied; `nil` for another kind of value.
    package var text: UnsafeRawBufferPointer? { entry.kind == .string ? entry.value : nil }
}
