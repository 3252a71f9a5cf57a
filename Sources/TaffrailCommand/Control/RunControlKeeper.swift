#if Command && Configuration
internal import Taffrail
internal import TaffrailConfiguration

/// Keeps the control socket in the run's state directory, which moves with its log.
final class RunControlKeeper: Sendable {
    private struct State {
        var control: RunControl?
        var isClosed = false
        /// The reason why there is no path for it, as reported.
        var problem: String?
    }

    private let state = Locked(State())

    init(_ live: LiveConfiguration) {
        update(live)
        live.whenApplied { [weak self, weak live] in
            if let self, let live { update(live) }
        }
    }

    private func update(_ live: LiveConfiguration) {
        state.withLock { state in
            guard !state.isClosed else { return }
            if let control = state.control, RunControl.path(live) == control.path { return }
            state.control?.close()
            state.control = RunControl(live)
            let problem = RunControl.problem(live)
            if let problem, problem != state.problem { Diagnostics.report(problem) }
            state.problem = problem
        }
    }

    /// Removes the socket.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.control?.close()
            state.control = nil
        }
    }
}
#endif
