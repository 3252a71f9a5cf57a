internal import Synchronization

extension Pipeline {
    /// Changes processors, sinks and levels, all of them or none, between two batches. What stays the same goes on
    /// as it is; what was logged before the call goes through the old processors to the old sinks, as far as these take
    /// it. What a failing sink that stays has not got goes through the new ones.
    ///
    /// The queue itself cannot be changed while it is in use; other options for it are told, and left.
    ///
    /// - Parameters:
    ///   - setup: What it is to consist of.
    ///   - opensFiles: Whether a file that cannot be opened is a failure also where nothing was set up before. Default `false`:
    ///     it is tried again, which a program that must not end because of its log wants.
    ///   - timeout: How long the writer may take. Default 30 s. A sink that hangs while it is opened or closed keeps it
    ///     busy; as soon as it returns, the change is undone.
    /// - Throws: ``PipelineChangeError``; the pipeline then is what it was.
    package func change(
        to setup: PipelineSetup, opensFiles: Bool = false, timeout: Duration = .seconds(30)
    ) throws(PipelineChangeError) {
        let deadline = SystemClock.monotonicNanoseconds() + timeout.timeout
        try changing.withLock { _ throws(PipelineChangeError) in
            try changeAlone(to: setup, opensFiles: opensFiles, until: deadline)
        }
    }

    private func changeAlone(
        to setup: PipelineSetup, opensFiles: Bool, until deadline: Int64
    ) throws(PipelineChangeError) {
        let before = redaction.table
        do throws(PipelineChangeError) {
            try changeParts(to: setup, opensFiles: opensFiles, until: deadline)
        } catch {
            setRedaction { redaction.restore(before) }
            throw error
        }
        processorParts = setup.processors
        guardParts = setup.guards
        if queueOptions != setup.queue {
            Diagnostics.report("what is new under \"queue:\" takes effect when the program starts again")
        }
        changeLevels { $0 = LevelTable(root: setup.level, byName: setup.levels) }
    }

    private func changeParts(
        to setup: PipelineSetup, opensFiles: Bool, until deadline: Int64
    ) throws(PipelineChangeError) {
        let processors = try makeProcessors(of: setup)
        let movesQueue = try control.lock.withLock { () throws(PipelineChangeError) -> Bool in
            try takeLateChange()
            switch control.state {
            case .none, .failed:
                guard !hasLateWriter else {
                    throw PipelineChangeError(part: nil, reason: "a sink still holds up the writer")
                }
                // A first setup opens nothing, unless it is asked to. A later one is a change of what is there, which is
                // refused where a file cannot be opened, whether or not anything was logged. A forked child's sinks are its own from here on.
                let wasMade = sinks != nil
                var change = SinkChange(from: liveSinks, to: setup.sinks, opensFiles: wasMade || opensFiles)
                change.perform()
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
        // The ring lies beside the log: a new one is made there.
        if !end(timeout: .seconds(5), closesSinks: false) {
            Diagnostics.report("not everything was written before the log moved; \"taffrail recover\" finds the rest")
        }
        open(first: nil)
    }

    /// Has every sink open its destination anew between two batches: for whoever moved a log file away. Returns at
    /// once.
    public func reopen() {
        control.lock.withLock {
            guard control.state == .open else { return }
            mailbox.post { $0.reopenSinks() }
            control.wakeWriter()
        }
    }

    /// Gives the live log files their rotated names between two batches, and has every other sink open its destination
    /// anew. An empty file stays. Returns at once; what fails is said on stderr.
    public func rotate() {
        control.lock.withLock {
            guard control.state == .open else { return }
            mailbox.post { $0.rotateSinks() }
            control.wakeWriter()
        }
    }

    /// Whether the writer has been asked for something that it has not done.
    var hasMail: Bool { mailbox.isWaiting }

    /// New processors and guards, where they are others than those at work.
    private func makeProcessors(of setup: PipelineSetup) throws(PipelineChangeError) -> ProcessorChain? {
        let hasSameGuards = isSame(guardParts, setup.guards)
        if hasSameGuards && isSame(processorParts, setup.processors) { return nil }
        let made = try make(setup.processors) { try $0.makeProcessor() }
        let guards = try make(setup.guards) { try $0.makeGuard() }
        let secrets = made.reduce(into: Set<String>()) { $0.formUnion($1.redactedKeys) }
        // Both count from here on, whatever becomes of the rest.
        setRedaction { redaction.set(secrets, guards: guards) }
        // What is in the queue was logged under other guards.
        let guardsAll = processors.guardsAll || !hasSameGuards && sinks != nil
        return ProcessorChain(made, guarding: GuardProcessor(guards), guardsAll: guardsAll)
    }

    private func isSame(_ parts: [PlannedPlugin], _ others: [PlannedPlugin]) -> Bool {
        parts.count == others.count && zip(parts, others).allSatisfy { $0.isSame(as: $1) }
    }

    private func make<Made>(
        _ parts: [PlannedPlugin], _ make: (PlannedPlugin) throws -> Made?
    ) throws(PipelineChangeError) -> [Made] {
        var all: [Made] = []
        for part in parts {
            do {
                if let made = try make(part) { all.append(made) }
            } catch {
                throw PipelineChangeError(part: part.name, reason: "\(error)")
            }
        }
        return all
    }

    /// Has the writer do it between two batches, and waits for that.
    private func changeOnWriter(
        to setup: PipelineSetup, _ processors: ProcessorChain?, until deadline: Int64
    ) throws(PipelineChangeError) {
        let request = ChangeRequest(
            SinkChange(from: liveSinks, to: setup.sinks, opensFiles: true), processors,
            after: control.tail.pointee.load(ordering: .relaxed),
            ledgers: { RunStorage(queue: self.queueOptions, sinks: $0).ledgers(beside: self.ring) })
        while true {
            mailbox.post { request.run(on: $0) }
            control.wakeWriter()
            switch request.wait(until: deadline) {
            case .done(let change):
                sinks = change.live
                if let failure = change.failure { throw failure }
                if let processors { self.processors = processors }
                return
            case .later:
                continue
            case .waiting:
                throw PipelineChangeError(part: nil, reason: "a sink holds up the writer for too long")
            case .abandoned:
                lateChange = request
                throw PipelineChangeError(
                    part: request.part, reason: "opening or closing the sink takes too long; the change will be undone")
            }
        }
    }

    /// Takes over the sinks that a change has left which was given up while it was under way.
    private func takeLateChange() throws(PipelineChangeError) {
        guard let late = lateChange else { return }
        guard let live = late.undone else {
            throw PipelineChangeError(part: late.part, reason: "opening or closing the sink still takes")
        }
        sinks = live
        lateChange = nil
    }
}
