/// An attribute as it lies in the queue; good only while its record is.
package struct AttributeView {
    fileprivate let entry: AttributeCodec.Entry

    /// The name's UTF-8.
    package var key: UnsafeRawBufferPointer { entry.key }
    /// The value, as one of its own.
    package var value: LogValue { AttributeCodec.value(entry) }
}

extension RecordView {
    /// Calls `body` with each attribute, the innermost first. Where a name occurs twice the first one counts, and it is
    /// for the caller to see to that.
    package func forEachAttribute(_ body: (AttributeView) -> Void) {
        var rest = fields.attributes
        while let entry = AttributeCodec.next(&rest) { body(AttributeView(entry: entry)) }
        rest = context
        while let entry = AttributeCodec.next(&rest) { body(AttributeView(entry: entry)) }
    }
}
