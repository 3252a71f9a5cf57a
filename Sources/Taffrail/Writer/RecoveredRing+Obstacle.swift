extension RecoveredRing {
    /// Returns why the sinks must not get the records, although the run had these sinks: only the configuration of its
    /// program has the parts that the records need. `nil` if nothing prevents it.
    func obstacle(_ sinks: [SinkState], _ processors: ProcessorChain, _ scope: Recovery.Scope) -> String? {
        let header = ring.header
        if scope.leavesProcessed, !processors.suffices(for: header) {
            return text("its program has processors, and this one has none")
        }
        // A program that has changed its configuration may write its own records in another way.
        guard scope.isOursOnly, scope.keepsAbsent || !header.isOfThisProgram else { return nil }
        for (state, progress) in zip(sinks, sinkProgress) {
            guard let progress, let log = state.sink.logFile else { continue }
            // The header has the format of the first log only.
            let isFirst = header.logSlot.map { $0 == progress.slot } ?? true
            let filter = ring.filter(ofSlot: progress.slot)
            let isUnknown = filter.isEmpty && isFirst && header.hasFilteredLog
            if isUnknown || !filter.isEmpty && filter != state.filter {
                return text("its program filters the records for \(state.name) differently")
            }
            if scope.keepsAbsent, !isFirst || header.encoder != log.encoder {
                return text("its program writes \(state.name) in \(isFirst ? header.encoder : "an unknown format")")
            }
        }
        return nil
    }

    private func text(_ reason: String) -> String {
        let program = ring.header.program.isEmpty ? "that program" : ring.header.program
        return reason + "; \(program) itself or \"\(command)\" with its configuration writes the records"
    }

    /// Why no sink gets the records, and what to do.
    var reasonWithoutSinks: String {
        let names = absent.map { "\"\($0.name)\"" }.joined(separator: ", ")
        let sinks = names.isEmpty ? "it has no sinks" : "this configuration does not have its sinks \(names)"
        return sinks + "; \"\(command)\" with the configuration that had them writes the records"
    }

    /// The command that delivers the records for which this configuration has no sinks.
    var command: String { Recovery.command(forRing: ring.path) }
}

extension Recovery {
    /// Returns the command that delivers the records of a ring to the sinks of a configuration.
    package static func command(forRing path: String) -> String {
        let directory = Directory.parent(of: path) ?? "/"
        // The ring of a program with `queue.directory` is not in a log directory.
        let logs = directory.hasSuffix("/.taffrail") ? String(directory.dropLast("/.taffrail".count)) : directory
        return "taffrail recover \(logs.isEmpty ? "/" : logs) --config FILE"
    }
}
