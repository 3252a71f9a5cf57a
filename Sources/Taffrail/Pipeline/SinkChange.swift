/// Replaces the sinks of a pipeline by those of a setup: all or none.
///
/// Unchanged sinks stay. New ones are created before anything is closed. A sink with new options under an old name may
/// have the same destination: it is closed, then created; if that fails, the old one is created again, and so is
/// everything that was changed before.
struct SinkChange {
    let parts: [PlannedPlugin]
    private(set) var live: [LiveSink]
    /// The reason why it failed. `live` then has the old sinks, some of them recreated.
    private(set) var failure: PipelineChangeError?
    /// Whether a closed sink could not write all of its data to the disk.
    private(set) var hasLostWrites = false
    private let opensFiles: Bool

    /// - Parameter opensFiles: Whether a file that cannot be opened is a failure. It is not when a program sets itself
    ///   up: such a file is retried.
    init(from live: [LiveSink], to parts: [PlannedPlugin], opensFiles: Bool) {
        self.live = live
        self.parts = parts
        self.opensFiles = opensFiles
    }

    /// Replaces the sinks.
    ///
    /// - Parameter progress: Called with the name of each part before it is opened or closed.
    mutating func perform(_ progress: (String) -> Void = { _ in }) {
        if opensFiles { openKept() }
        var new: [LiveSink] = []
        do throws(PipelineChangeError) {
            for part in parts where old(part.name) == nil {
                progress(part.name)
                new.append(try open(part))
            }
        } catch {
            for made in new { close(made.sink) }
            failure = error
            return
        }
        var changed: [(before: LiveSink, after: LiveSink)] = []
        for part in parts {
            guard let before = old(part.name), before.part?.isSame(as: part) != true else { continue }
            progress(part.name)
            close(before.sink)
            do throws(PipelineChangeError) {
                changed.append((before, try open(part)))
            } catch {
                failure = error
                undo(changed, and: before)
                for made in new { close(made.sink) }
                return
            }
        }
        let next = parts.compactMap { part in
            new.first { $0.part?.name == part.name } ?? changed.first { $0.after.part?.name == part.name }?.after
                ?? old(part.name).map { LiveSink($0.sink, part: part) }
        }
        if let twin = Self.twin(in: next) {
            failure = twin
            undo(changed, and: nil)
            for made in new { close(made.sink) }
            return
        }
        for gone in live where !next.contains(where: { $0.part?.name == gone.part?.name }) {
            progress(gone.part?.name ?? gone.sink.name)
            close(gone.sink)
        }
        live = next
    }

    /// Opens the files of remaining sinks before new ones, which may conflict with them, are checked, as is necessary
    /// before the first record. A file that cannot be opened is retried, as it is when records arrive.
    private func openKept() {
        for part in parts {
            guard let old = old(part.name), old.part?.isSame(as: part) == true else { continue }
            try? old.sink.openDestination()
        }
    }

    /// Returns the error for two sinks with one name, which could not be distinguished in the ring, or for one file,
    /// which would write everything twice.
    private static func twin(in live: [LiveSink]) -> PipelineChangeError? {
        for (index, one) in live.enumerated() {
            guard let other = live[..<index].first(where: { isSame($0.sink, one.sink) }) else { continue }
            return PipelineChangeError(
                part: one.part?.name, reason: "has the same destination as \(other.part?.name ?? "another sink")")
        }
        return nil
    }

    private static func isSame(_ one: any Sink, _ other: any Sink) -> Bool {
        one.name == other.name || LiveSink.areTwins(one, other)
    }

    private func old(_ name: String) -> LiveSink? { live.first { $0.part?.name == name } }

    private func open(_ part: PlannedPlugin) throws(PipelineChangeError) -> LiveSink {
        let made = try make(part)
        guard opensFiles else { return made }
        do throws(SinkError) {
            try made.sink.openDestination()
            return made
        } catch {
            throw PipelineChangeError(part: part.name, reason: error.reason)
        }
    }

    private func make(_ part: PlannedPlugin) throws(PipelineChangeError) -> LiveSink {
        do {
            guard let sink = try part.makeSink() else {
                throw PipelineChangeError(part: part.name, reason: "is not a sink")
            }
            return LiveSink(sink, part: part)
        } catch {
            let reason = (error as? SinkError)?.reason ?? "\(error)"
            throw (error as? PipelineChangeError) ?? PipelineChangeError(part: part.name, reason: reason)
        }
    }

    /// Creates the old sinks again.
    private mutating func undo(_ changed: [(before: LiveSink, after: LiveSink)], and closed: LiveSink?) {
        for (_, after) in changed { close(after.sink) }
        for before in changed.map(\.before) + (closed.map { [$0] } ?? []) {
            guard let index = live.firstIndex(where: { $0.sink === before.sink }) else { continue }
            do throws(PipelineChangeError) {
                guard let part = before.part else { continue }
                live[index] = try make(part)
            } catch {
                Diagnostics.report(
                    "sink \(before.sink.name) was removed, because it cannot be reopened: \(error.reason)")
                live.remove(at: index)
            }
        }
    }

    private mutating func close(_ sink: any Sink) {
        do throws(SinkError) { try sink.close() } catch {
            if error.kind == .permanent { hasLostWrites = true }
            Diagnostics.report("sink \(sink.name) cannot be closed: \(error.reason)")
        }
    }
}
