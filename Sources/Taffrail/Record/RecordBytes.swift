/// The strings of a record as UTF-8 in the queue's memory, valid only as long as the record: for a sink that
/// writes bytes without creating strings.
///
/// They need not be valid UTF-8 if they were not logged as a `String`; `String(decoding:as:)` repairs that.
package struct RecordBytes {
    package let message: UnsafeRawBufferPointer
    /// Empty for ``Logger/shared``.
    package let logger: UnsafeRawBufferPointer
    /// Empty without an event name.
    package let event: UnsafeRawBufferPointer
    /// Empty without a source location.
    package let file: UnsafeRawBufferPointer
    package let function: UnsafeRawBufferPointer
    package let line: UInt32
}

extension RecordView {
    /// The strings, not copied.
    package var bytes: RecordBytes {
        let names = sourceNames
        return RecordBytes(
            message: fields.message, logger: fields.logger, event: fields.event, file: names.file,
            function: names.function, line: fields.line)
    }

    /// Calls `body` with each of ``attributes``, not copied.
    package func forEachDistinctAttribute(_ body: (AttributeCodec.Entry) -> Void) {
        var entries = entries
        while let entry = entries.next() { body(entry) }
    }
}
