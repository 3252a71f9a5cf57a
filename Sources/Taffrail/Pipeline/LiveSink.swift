/// An open sink, its filter, and the setup it was created from.
final class LiveSink {
    /// The sink as it was created: a factory may have given it a filter of its own.
    private let created: any Sink
    let filtered: FilteredSink
    /// `nil` if it was not created from a setup.
    let part: PlannedPlugin?

    var sink: any Sink { filtered.base }

    init(_ sink: any Sink, part: PlannedPlugin? = nil) {
        created = sink
        filtered = FilteredSink(sink, part?.filter ?? SinkFilter())
        self.part = part
    }

    /// The same sink, with the filter of another part.
    convenience init(_ other: LiveSink, part: PlannedPlugin) { self.init(other.created, part: part) }

    /// Returns whether two sinks share a destination, which would get every record twice.
    static func areTwins(_ one: any Sink, _ other: any Sink) -> Bool {
        one === other || commonDestination(of: one, other) != nil
    }

    private static func commonDestination(of one: any Sink, _ other: any Sink) -> String? {
        let others = other.destinations
        return one.destinations.first { others.contains($0) }
    }

    /// Returns the sinks of a pipeline set up in code, without those whose destination an earlier one has.
    static func withoutTwins(_ sinks: [any Sink]) -> [LiveSink] {
        var kept: [LiveSink] = []
        for sink in sinks {
            let live = LiveSink(sink)
            if let twin = kept.first(where: { areTwins($0.sink, live.sink) })?.sink {
                let destination = commonDestination(of: live.sink, twin) ?? "its destination"
                Diagnostics.report(
                    "sink \(live.sink.name) is ignored: \(destination) is already written by sink \(twin.name)")
            } else {
                kept.append(live)
            }
        }
        return kept
    }
}
