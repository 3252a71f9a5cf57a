/// The attributes that an ``AttributeGuard`` reviews.
public struct GuardedAttributes: Sendable, Hashable {
    /// The event name of the record; `nil` for a record without one, an ambient context or a map.
    public let eventName: String?
    /// The attributes, those of the call first. Names may repeat.
    public var attributes: [LogValueEntry]
    /// The replacement for the record's message; `nil` (the default) keeps it. Ignored for contexts and maps.
    public var message: String?

    /// Creates the attributes for a guard to review.
    public init(eventName: String? = nil, attributes: [LogValueEntry]) {
        self.eventName = eventName
        self.attributes = attributes
    }
}
