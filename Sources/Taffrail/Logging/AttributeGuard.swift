/// Keeps, changes or drops attributes before they reach the queue, and thus any sink or the ring's file.
///
/// It runs on the logging thread, and only for attributes that include one it watches. For other records the cost is
/// that of comparing their names, as with ``Processor/redactedKeys``.
///
/// It sees each of these separately: a record's own attributes with those of its logger and task; the attributes that a
/// ``ContextProvider`` publishes, again whenever the guards of a pipeline change; each map among the attributes.
/// Records that a dead run left are reviewed before sinks get them, because that run may not have had the guard.
/// Message text is not searched. The result must depend on the arguments alone.
public protocol AttributeGuard: Sendable {
    /// The exact names of the attributes to watch. Read once.
    var watchedNames: Set<String> { get }

    /// Reviews attributes, at least one of which has a watched name, and may change them.
    ///
    /// - Returns: ``Verdict/drop``: the record is not logged, the context becomes empty, the map is removed.
    func review(_ attributes: inout GuardedAttributes) -> Verdict
}
