#if Tracing
internal import Taffrail
internal import Tracing

/// The data of a ``LocatedTracer`` about one of its spans; in the span's context, so that it is available with the
/// span.
struct SpanNotes: Sendable {
    /// The notes in a span's context.
    enum Key: InstrumentationContextKey {
        typealias Value = SpanNotes
    }

    /// The identities that records get.
    var trace: TraceContext?
    /// The attributes of the position that the span got at its start.
    var place = SpanAttributes()
    /// Logs the span when it ends.
    var recorder: SpanRecorder?

    /// Returns attributes that a caller sets, without the position of the start if they have another position or part
    /// of one: two positions are never mixed.
    func separated(_ attributes: SpanAttributes) -> SpanAttributes {
        var isOther = false
        attributes.forEach { key, value in
            if key.hasPrefix("geo."), place.get(key) != value { isOther = true }
        }
        guard isOther else { return attributes }
        var attributes = attributes
        place.forEach { key, value in if attributes.get(key) == value { attributes.set(key, value: nil) } }
        return attributes
    }
}

extension String {
    /// Whether an attribute with this name describes a position.
    var isOfPlace: Bool { hasPrefix("geo.") || hasPrefix("taffrail.geo.") }
}

extension SpanAttributes {
    /// Whether there is an attribute of a position that callers set.
    var hasPlace: Bool {
        var hasPlace = false
        forEach { key, _ in if key.hasPrefix("geo.") { hasPlace = true } }
        return hasPlace
    }
}
#endif
