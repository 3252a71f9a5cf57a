internal import Synchronization

extension Pipeline {
    /// Changes processors, sinks and levels between two batches, all of them or none. Unchanged parts keep running.
    /// Records logged before the call pass through the old processors to the old sinks, as far as these accept them;
    /// records that a remaining, failing sink does not have pass through the new ones.
    ///
    /// The queue itself cannot be changed while it is in use; different options for it are reported and ignored.
    ///
    /// - Parameters:
    ///   - setup: The new configuration.
    ///   - opensFiles: Whether a file that cannot be opened is a failure even if nothing was set up before. Default
    ///     `false`: it is retried, for a program that must not end because of its log.
    ///   - timeout: The time limit for the writer. Default 30 s. A sink that hangs while it is opened or closed blocks
    ///     it; when it returns, the change is undone.
    /// - Throws: ``PipelineChangeError``; the pipeline is then unchanged.
    package func change(
        to setup: PipelineSetup, opensFiles: Bool = false, timeout: Duration = .seconds(30)
    ) throws(PipelineChangeError) {
        let deadline = SystemClock.monotonicNanoseconds() + timeout.timeout
        try changing.withLock { _ throws(PipelineChangeError) in
            let before = redaction.object
            do throws(PipelineChangeError) {
                try changeParts(to: setup, opensFiles: opensFiles, until: deadline)
            } catch {
                setRedaction { redaction.set(before) }
                throw error
            }
            processorParts = setup.processors
            guardParts = setup.guards
            if queueOptions != setup.queue {
                Diagnostics.report("changes under \"queue:\" take effect when the program is restarted")
            }
            setNextQueue(setup.queue.directory.map(LogPath.absolute))
            changeLevels { $0 = LevelTable(root: setup.level, byName: setup.levels) }
        }
    }

    private func changeParts(
        to setup: PipelineSetup, opensFiles: Bool, until deadline: Int64
    ) throws(PipelineChangeError) {
        let processors = try makeProcessors(of: setup)
        let movesQueue = try control.lock.withLock { () throws(PipelineChangeError) -> Bool in
            // Take over the sinks of a change that was abandoned while it was running.
            if let late = lateChange {
                guard let live = late.undone else {
                    throw PipelineChangeError(part: late.part, reason: "the sink is still being opened or closed")
                }
                sinks = live
                lateChange = nil
            }
            switch control.state {
            case .none, .failed:
                guard !hasLateWriter else {
                    throw PipelineChangeError(part: nil, reason: "the writer is still blocked by a sink")
                }
                // A first setup opens nothing, unless requested. A later one changes an existing setup, and is rejected
                // if a file cannot be opened, whether or not anything was logged. After this, a forked child has its
                // own sinks.
                let wasMade = sinks != nil
                var change = SinkChange(live: liveSinks, parts: setup.sinks, opensFiles: wasMade || opensFiles)
                change.perform()
                // From now on log calls wait again for a set-up.
                control.isStuck = false
                if wasMade || change.failure == nil { sinks = change.live }
                if let failure = change.failure { throw failure }
                if let processors { self.processors = processors }
                _ = bindQueue(setup.queue)
                isAnnounced = false
                return false
            case .open:
                try changeOnWriter(to: setup, processors, until: deadline)
                return storage.isElsewhere(ring)
            case .closing, .shutDown:
                throw PipelineChangeError(part: nil, reason: "the pipeline has ended")
            }
        }
        guard movesQueue else { return }
        // The next ring keeps this, because recovering this ring removes it, and the new sinks do not know of it.
        if control.header?.hasClosedLostSink == true { control.hasClosedLostSink = true }
        // The ring is next to the log, so a new one is created there.
        if !end(timeout: .seconds(5), closesSinks: false) {
            Diagnostics.report("some records were not written before the log moved; \"taffrail recover\" delivers them")
        }
        open(first: nil)
    }

    /// Returns the new processors and guards, if they differ from the current ones.
    private func makeProcessors(of setup: PipelineSetup) throws(PipelineChangeError) -> ProcessorChain? {
        let hasSameGuards = Self.areSame(guardParts, setup.guards)
        if hasSameGuards && Self.areSame(processorParts, setup.processors) { return nil }
        let (chain, guards) = try setup.makeProcessors()
        // Keys and guards apply now, regardless of the rest.
        setRedaction { redaction.set(chain.redactedKeys, guards: guards) }
        // The records in the queue were logged under other guards.
        chain.guardsAll = processors.guardsAll || !hasSameGuards && sinks != nil
        return chain
    }

    private static func areSame(_ parts: [PlannedPlugin], _ others: [PlannedPlugin]) -> Bool {
        parts.elementsEqual(others) { $0.isSame(as: $1) }
    }

    /// Has the writer run it between two batches, and waits for the result.
    private func changeOnWriter(
        to setup: PipelineSetup, _ processors: ProcessorChain?, until deadline: Int64
    ) throws(PipelineChangeError) {
        let request = ChangeRequest(
            SinkChange(live: liveSinks, parts: setup.sinks, opensFiles: true, header: control.header), processors,
            after: control.tail.pointee.load(ordering: .relaxed),
            ledgers: { RunStorage(queue: self.queueOptions, sinks: $0).ledgers(beside: self.ring) })
        defer { if request.isAbandoned { lateChange = request } }
        while true {
            mailbox.post { request.run(on: $0) }
            control.wakeWriter()
            guard let change = try request.wait(until: deadline) else { continue }
            sinks = change.live
            if let failure = change.failure { throw failure }
            if let processors { self.processors = processors }
            return
        }
    }
}
