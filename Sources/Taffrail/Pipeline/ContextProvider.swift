/// A source of ambient attributes: the position, the vehicle, the build.
///
/// Its attributes are encoded when they change and copied into every record at the call, so that a record says what
/// was true at its moment, also when it is recovered after a crash.
public protocol ContextProvider: Sendable {
    /// Starts publishing.
    ///
    /// Called once, when the pipeline starts, on the thread that made it. The provider keeps the slot and may
    /// publish into it from any thread, as often as it likes.
    func publish(into slot: Pipeline.ContextSlot)

    /// Stops publishing; called once, when the pipeline ends. Default: nothing.
    func stop()

    /// Deletes what it keeps between runs. Called after ``stop()`` when a configuration that has been read anew no longer
    /// has it, and not when the pipeline ends. Default: nothing.
    func discard()

    /// How the names of attributes start that stand for all of this provider's: a record with an attribute of its own
    /// so named (the call's, the logger's or the task's) gets none of the provider's, so that a latitude of one position
    /// is never completed by the longitude of another. Default `nil`: only attributes of the same name are left out.
    var yieldsTo: String? { get }
}

extension ContextProvider {
    /// Does nothing.
    public func stop() {}

    /// Does nothing.
    public func discard() {}

    /// Yields to nothing.
    public var yieldsTo: String? { nil }
}

extension Pipeline {
    /// One provider's share of a pipeline's ambient attributes.
    public struct ContextSlot: Sendable {
        let pipeline: Pipeline
        /// The provider's number.
        let id: Int

        /// Replaces this provider's attributes; records made from now on carry them.
        ///
        /// - Parameter attributes: None removes them.
        /// - Throws: ``ContextError`` when all providers together would take more than 512 encoded bytes. This provider
        ///   then has none, because those before are no longer true; that is also reported on stderr, once.
        public func publish(_ attributes: LogAttributes) throws(ContextError) {
            let bytes = attributes.withBytes { [UInt8]($0) }
            try pipeline.setContext(bytes, of: id)
        }

        /// Replaces this provider's attributes by some from variables.
        ///
        /// - Throws: ``ContextError``, as with attributes of constants alone.
        @_disfavoredOverload
        public func publish(_ attributes: LogAttributes.Converted) throws(ContextError) {
            try publish(attributes.attributes)
        }

        /// What records would get of some attributes: as redaction and the pipeline's guards leave them.
        package func reviewed(_ attributes: LogAttributes) -> [LogValueEntry] {
            pipeline.reviewedContext(attributes.withBytes { [UInt8]($0) })
        }
    }
}
