extension Pipeline {
    /// The running inputs and context providers of a pipeline; see
    /// ``Pipeline/start(inputs:contexts:guards:processors:sinks:queue:level:levels:)`` and, with a configuration,
    /// `Pipeline.open(configuration:plugins:)`.
    ///
    /// It need not be kept: the pipeline keeps it. ``Pipeline/shutdown(timeout:)`` stops it first. Any thread or task
    /// may call it.
    public final class Running: Sendable {
        private struct State {
            var inputs: [(name: String, task: Task<Void, Never>)] = []
            var contexts: [(name: String, provider: any ContextProvider, slot: ContextSlot)] = []
            /// The number of inputs that have not returned, including cancelled ones.
            var unfinished = 0
            var whenStopped: (@Sendable () -> Void)?
        }

        /// The pipeline.
        public let pipeline: Pipeline
        private let state = Locked(State())
        /// How long the pipeline's end waits for the inputs. Changed by tests only.
        package let patience = Locked(Duration.seconds(1))

        package init(_ pipeline: Pipeline) {
            self.pipeline = pipeline
            pipeline.running.withLock { $0.append(self) }
        }

        /// Stops the inputs, waits until they have returned, and stops the context providers. A configuration is no longer
        /// watched. The pipeline continues.
        public func stop() async {
            for task in cancelInputs() { await task.value }
            endContexts()
        }

        /// Cancels the inputs, waits for them up to a time limit and no longer than ``patience``, and stops the context
        /// providers.
        static func end(_ all: [Running], within timeout: Duration) {
            for one in all { one.cancelInputs() }
            let patience = all.map { one in one.patience.withLock { $0 } }.max() ?? .zero
            let deadline = SystemClock.monotonicNanoseconds() + min(timeout, patience).timeout
            while all.contains(where: { $0.state.withLock { $0.unfinished > 0 } }),
                SystemClock.monotonicNanoseconds() < deadline
            {
                SystemClock.sleep(for: .milliseconds(1))
            }
            for one in all { one.endContexts() }
        }

        /// Runs an input in its own task. An earlier input with the name is cancelled, and the task waits for it.
        package func start(_ input: any Input, named name: String) {
            let before = state.withLock { state -> Task<Void, Never>? in
                state.unfinished += 1
                return state.inputs.first { $0.name == name }?.task
            }
            before?.cancel()
            let task = Task.detached { [self, pipeline] in
                await before?.value
                do {
                    try await input.run(into: pipeline)
                } catch is CancellationError {
                } catch {
                    Diagnostics.report("input \(name) has ended: \(error)")
                }
                state.withLock { $0.unfinished -= 1 }
            }
            state.withLock { state in
                state.inputs.removeAll { $0.name == name }
                state.inputs.append((name, task))
            }
        }

        /// Starts a context provider. An earlier provider with the name is stopped first.
        package func start(_ provider: any ContextProvider, named name: String) {
            endContext(named: name)
            let slot = pipeline.attach(provider)
            state.withLock { $0.contexts.append((name, provider, slot)) }
        }

        /// Cancels an input, which may take some time to return.
        package func endInput(named name: String) {
            let task = state.withLock { state in
                state.inputs.firstIndex { $0.name == name }.map { state.inputs.remove(at: $0).task }
            }
            task?.cancel()
        }

        /// Stops a context provider.
        ///
        /// - Parameter isDiscarded: Whether it also deletes the data that it keeps between runs.
        package func endContext(named name: String, isDiscarded: Bool = false) {
            let context = state.withLock { state in
                state.contexts.firstIndex { $0.name == name }.map { state.contexts.remove(at: $0) }
            }
            guard let context else { return }
            context.provider.stop()
            pipeline.detach(context.slot)
            if isDiscarded { context.provider.discard() }
        }

        /// Calls `body` whenever all inputs are cancelled.
        package func whenStopped(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.whenStopped = body } }

        /// Cancels the inputs.
        ///
        /// - Returns: Their tasks, which may still be running.
        @discardableResult
        package func cancelInputs() -> [Task<Void, Never>] {
            state.withLock { $0.whenStopped }?()
            let inputs = state.withLock { state in
                defer { state.inputs = [] }
                return state.inputs.map(\.task)
            }
            for input in inputs { input.cancel() }
            return inputs
        }

        /// Stops the context providers. If the inputs have returned before, their last records have the attributes.
        package func endContexts() {
            for context in state.withLock({ $0.contexts }) { endContext(named: context.name) }
        }
    }
}
