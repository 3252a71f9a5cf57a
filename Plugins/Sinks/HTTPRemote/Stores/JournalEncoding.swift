#if HTTP
internal import Taffrail
internal import TaffrailDelivery
internal import TaffrailHTTP
internal import TaffrailText

/// systemd's journal export format, for `systemd-journal-remote`.
///
/// A journal orders the entries of a boot by the time since the boot. A record in a spool contains only its run, which
/// is used as the boot, so that the entries of a run remain in order.
struct JournalEncoding: BatchEncoding {
    var contentType: String { "application/vnd.fdo.journal" }

    /// The server interprets a compressed body as entries without a time, ignores them, and confirms them.
    var isCompressible: Bool { false }

    func body(of batch: SpoolBatch, from resource: ResourceAttributes) throws -> [UInt8] {
        let all = resource.all(of: batch.run)
        func value(_ name: String) -> String? { all.first { $0.name == name }?.value }
        let boot = Self.boot(of: batch.run)
        let host = value("host.name")
        // The other attributes are sent as separate fields.
        let own = ["service.name", "host.name", "service.instance.id"]
        let others = all.filter { !own.contains($0.name) || $0.name == own[2] && $0.value != "\(batch.run)" }
        let limit = max(0, JournalEntry.mostAttributes - others.count)
        var entries = JournalEntry(identifier: value("service.name") ?? "")
        _ = batch.withRecords { batch in
            batch.forEach { view in
                let time = Self.microseconds(view.timestamp)
                entries.append("__REALTIME_TIMESTAMP", "\(time)")
                entries.append("__MONOTONIC_TIMESTAMP", "\(time)")
                entries.append("_BOOT_ID", boot)
                if let host { entries.append("_HOSTNAME", host) }
                entries.append(view, attributes: limit)
                for attribute in others.prefix(JournalEntry.mostAttributes) {
                    entries.append(attribute: attribute.name, attribute.value)
                }
                entries.end()
            }
        }
        return entries.bytes
    }

    /// Returns the time of an entry, or the nearest one that a journal accepts.
    static func microseconds(_ time: Timestamp) -> Int64 { min(max(1, time.nanoseconds / 1000), 1 << 55 - 1) }

    /// Returns the id of a boot, which must not be 0.
    static func boot(of run: RingID) -> String { run == .none ? "\(run)" + "\(RingID(1))" : "\(run)\(run)" }

    func verdict(_ status: Int, _ body: [UInt8]) -> ResponseMeaning {
        switch status {
        case 200, 202, 204: ResponseMeaning(.accepted(refused: 0))
        case 201..<300: ResponseMeaning(.later)
        case 422 where !Self.isAboutEntries(body): ResponseMeaning(.later)
        default: ResponseMeaning(failure: status)
        }
    }

    /// Returns whether a failure to store is caused by the entries: the status is the same for a full disk.
    private static func isAboutEntries(_ body: [UInt8]) -> Bool {
        let text = String(decoding: body, as: UTF8.self)
        return ["Bad message", "Invalid argument", "Argument list too long", "Message too long"].contains(
            where: text.contains)
    }
}
#endif
