/// Keeps, changes or drops attributes before they reach the queue, and so before any sink and the ring's file get them.
///
/// It is asked by the thread that logs, and only about attributes among which is one that it watches. Records without
/// such an attribute cost no more than with ``Processor/redactedKeys``: their names are compared.
///
/// It looks at each of these by itself: a record's own attributes with those of its logger and task; what a
/// ``ContextProvider`` publishes, also again when the guards of a pipeline change; each map among the attributes.
/// Records that a dead run left are looked at before sinks get them, because their run may not have had the guard.
/// The text of messages is not searched. What it answers shall depend on what it is given alone.
public protocol AttributeGuard: Sendable {
    /// The names of attributes, exactly as they are logged, that it wants to see. Asked for once.
    var watchedNames: Set<String> { get }

    /// Looks at attributes, at least one of which has a watched name, and changes them as it likes.
    ///
    /// - Returns: ``Verdict/drop``: the record is not logged, the context is empty, the map is left out.
    func review(_ attributes: inout GuardedAttributes) -> Verdict
}

/// What an ``AttributeGuard`` looks at.
public struct GuardedAttributes: Sendable, Hashable {
    /// The event name of the record; `nil` for one without, for an ambient context and for a map.
    public let eventName: String?
    /// The attributes, those of the call first. Names may occur twice.
    public var attributes: [LogValueEntry]
    /// What replaces the record's message; `nil`, the default: nothing does. Elsewhere it has no effect.
    public var message: String?

    /// Makes what a guard looks at.
    public init(eventName: String? = nil, attributes: [LogValueEntry]) {
        self.eventName = eventName
        self.attributes = attributes
    }
}
