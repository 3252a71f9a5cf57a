/// A source of ambient attributes: the position, the vehicle, the build.
///
/// The attributes are encoded when they change and copied into every record at the call, so that a record, even one
/// recovered after a crash, describes the situation at that time.
public protocol ContextProvider: Sendable {
    /// Starts publishing.
    ///
    /// Called once, when the pipeline starts, on the thread that created it. The provider keeps the slot and may
    /// publish into it from any thread, at any time.
    func publish(into slot: Pipeline.ContextSlot)

    /// Stops publishing. Called once, when the pipeline ends. Default: does nothing.
    func stop()

    /// Deletes the data that it keeps between runs. Called after ``stop()`` when a reloaded configuration no longer
    /// contains it, and not when the pipeline ends. Default: nothing.
    func discard()

    /// A prefix of attribute names that represents all attributes of this provider: a record that itself has an
    /// attribute with the prefix (from the call, the logger or the task) gets none of the provider's, so that the
    /// latitude of one position is never combined with the longitude of another. Default `nil`: only attributes of the
    /// same name are omitted.
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

        /// Replaces this provider's attributes for all later records.
        ///
        /// - Parameter attributes: An empty value removes them.
        /// - Throws: ``ContextError`` when all providers together would exceed 512 encoded bytes. This provider then
        ///   has no attributes, because the previous ones are no longer true; this is also reported on stderr, once.
        public func publish(_ attributes: LogAttributes) throws(ContextError) {
            let bytes = attributes.withBytes { [UInt8]($0) }
            try pipeline.control.registryLock.withLock { () throws(ContextError) in
                defer { pipeline.publishContexts() }
                try pipeline.contexts.replace(bytes, of: id, redact: pipeline.redacted)
            }
        }

        /// Replaces this provider's attributes by attributes from variables.
        ///
        /// - Throws: ``ContextError``, as for literal attributes.
        @_disfavoredOverload
        public func publish(_ attributes: LogAttributes.Converted) throws(ContextError) {
            try publish(attributes.attributes)
        }

        /// Returns the attributes that records would get: after redaction and the pipeline's guards.
        package func reviewed(_ attributes: LogAttributes) -> [LogValueEntry] {
            AttributeCodec.entries(pipeline.redacted(attributes.withBytes { [UInt8]($0) }))
        }
    }
}
