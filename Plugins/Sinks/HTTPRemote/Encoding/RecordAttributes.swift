#if HTTP
internal import Taffrail

/// The attributes of a record as OTLP, Loki and ClickHouse get them: those without a field of their own.
enum RecordAttributes {
    /// The attribute of the copy of a position that is sent before earlier records.
    static let liveMark = "taffrail.live"

    /// Calls `body` with all attributes of a record: its own, and those that this project adds.
    static func forEach(of view: borrowing RecordView, _ body: (String, LogValue) -> Void) {
        let attributes = view.attributes
        // Names must be unique, and the added ones identify the record.
        for entry in attributes where entry.key != "taffrail.run" && entry.key != "taffrail.seq" {
            body(entry.key, entry.value)
        }
        body("taffrail.run", .string("\(view.run)"))
        body("taffrail.seq", .int(Int64(clamping: view.sequence)))
        func add(_ key: String, _ value: LogValue) {
            if !attributes.contains(where: { $0.key == key }) { body(key, value) }
        }
        // Some collectors drop the field of that name.
        if let event = view.eventName { add("event.name", .string(event)) }
        guard let source = view.source else { return }
        add("code.file.path", .string(source.file))
        add("code.function.name", .string(source.function))
        add("code.line.number", .int(Int64(source.line)))
    }
}
#endif
