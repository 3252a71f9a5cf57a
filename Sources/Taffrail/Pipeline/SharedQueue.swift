/// The queue of ``Pipeline/shared``, as long as it can still be chosen: a configuration comes before the first record.
package enum SharedQueue {
    private static let state = Guarded<(options: QueueOptions?, isMade: Bool)>((nil, false))

    /// Chooses the queue's options. `false` when the shared pipeline has been made already: then they stay.
    @discardableResult
    package static func choose(_ options: QueueOptions) -> Bool {
        state.withLock { state in
            if !state.isMade { state.options = options }
            return !state.isMade
        }
    }

    /// What the shared pipeline is made of.
    static func plan() -> PipelinePlan {
        let options = state.withLock { state in
            state.isMade = true
            return state.options
        }
        var plan = PipelinePlan.fromEnvironment()
        if let options { plan.queue = options }
        return plan
    }
}
