/// Replaces the sinks of a pipeline by those of a setup: all or none.
///
/// Unchanged sinks stay. New ones are created before anything is closed. A sink with new options under an old name may
/// have the same destination: it is closed, then created; if that fails, the old one is created again, and so is
/// everything that was changed before.
struct SinkChange {
    /// The sinks; before the change and after a failure the old ones, some of them recreated.
    private(set) var live: [LiveSink]
    let parts: [PlannedPlugin]
    /// Whether a file that cannot be opened is a failure. It is not when a program sets itself up: such a file is
    /// retried.
    let opensFiles: Bool
    /// The reason why it failed.
    private(set) var failure: PipelineChangeError?
    /// The header of the open ring, for which a closed sink that could not write all of its data to the disk is noted:
    /// the new sinks do not know of it.
    var header: RingHeader?

    /// Replaces the sinks.
    ///
    /// - Parameter request: Learns the name of each part before it is opened or closed.
    mutating func perform(for request: ChangeRequest? = nil) {
        if opensFiles { openKept() }
        var opened: [LiveSink] = []
        var closed: [LiveSink] = []
        var next: [LiveSink] = []
        do throws(PipelineChangeError) {
            guard parts.count <= RingHeader.sinkSlots else {
                throw PipelineChangeError(
                    part: nil, reason: "\(parts.count) sinks exceed the maximum of \(RingHeader.sinkSlots)")
            }
            for part in parts where Self.sink(part.name, in: live) == nil {
                request?.begin(part.name)
                opened.append(try open(part, opensFile: opensFiles))
            }
            for part in parts {
                guard let before = Self.sink(part.name, in: live), before.part?.isSame(as: part) != true else {
                    continue
                }
                request?.begin(part.name)
                close(before.sink)
                closed.append(before)
                opened.append(try open(part, opensFile: opensFiles))
            }
            for part in parts {
                if let made = Self.sink(part.name, in: opened) {
                    next.append(made)
                } else if let kept = Self.sink(part.name, in: live) {
                    next.append(LiveSink(kept, part: part))
                }
            }
            try Self.rejectTwins(in: next)
        } catch {
            failure = error
            for made in opened { close(made.sink) }
            reopen(closed)
            return
        }
        for gone in live where Self.sink(gone.part?.name, in: next) == nil {
            request?.begin(gone.part?.name ?? gone.sink.name)
            close(gone.sink)
        }
        live = next
    }

    /// Opens the files of remaining sinks before new ones, which may conflict with them, are checked, as is necessary
    /// before the first record. A file that cannot be opened is retried, as it is when records arrive.
    private func openKept() {
        for part in parts {
            guard let old = Self.sink(part.name, in: live), old.part?.isSame(as: part) == true else { continue }
            try? old.sink.openDestination()
        }
    }

    /// Throws for two sinks with one name, which could not be distinguished in the ring, or for one file, which would
    /// write everything twice.
    private static func rejectTwins(in live: [LiveSink]) throws(PipelineChangeError) {
        for (index, one) in live.enumerated() {
            for other in live[..<index]
            where other.sink.name == one.sink.name || LiveSink.areTwins(other.sink, one.sink) {
                throw PipelineChangeError(
                    part: one.part?.name, reason: "has the same destination as \(other.part?.name ?? "another sink")")
            }
        }
    }

    @inline(never)
    private static func sink(_ name: String?, in sinks: [LiveSink]) -> LiveSink? {
        sinks.first { $0.part?.name == name }
    }

    @inline(never)
    private func open(_ part: PlannedPlugin, opensFile: Bool) throws(PipelineChangeError) -> LiveSink {
        do {
            guard let sink = try part.makeSink() else {
                throw PipelineChangeError(part: part.name, reason: "is not a sink")
            }
            if opensFile { try sink.openDestination() }
            return LiveSink(sink, part: part)
        } catch let error as PipelineChangeError {
            throw error
        } catch {
            throw PipelineChangeError(part: part.name, reason: (error as? SinkError)?.reason ?? "\(error)")
        }
    }

    /// Creates old sinks again.
    private mutating func reopen(_ closed: [LiveSink]) {
        for before in closed {
            guard let index = live.firstIndex(where: { $0.sink === before.sink }) else { continue }
            do throws(PipelineChangeError) {
                guard let part = before.part else { continue }
                live[index] = try open(part, opensFile: false)
            } catch {
                Diagnostics.report(
                    "sink \(before.sink.name) was removed, because it cannot be reopened: \(error.reason)")
                live.remove(at: index)
            }
        }
    }

    @inline(never)
    private func close(_ sink: any Sink) {
        do throws(SinkError) { try sink.close() } catch {
            if error.kind == .permanent { header?.setHasClosedLostSink() }
            Diagnostics.report("sink \(sink.name) cannot be closed: \(error.reason)")
        }
    }
}
