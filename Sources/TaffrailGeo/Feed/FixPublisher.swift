package import Taffrail

/// Where an input's reports go: through a watch for lost fixes to whoever wants the events.
package struct FixPublisher {
    private var watch = FixLossDetector()
    private let emit: (GeoEvent) -> Void
    /// How many positions went out.
    package private(set) var positions = 0

    /// Hands events to a closure.
    package init(emit: @escaping (GeoEvent) -> Void) { self.emit = emit }

    /// Logs events into a pipeline and publishes them in the program's feed.
    ///
    /// - Parameter isReplayed: Whether they happened elsewhere or earlier.
    package init(pipeline: Pipeline, feed: LocationFeed = .shared, isReplayed: Bool = false) {
        self.init { event in
            event.log(into: pipeline, isReplayed: isReplayed)
            feed.publish(event)
        }
    }

    /// Takes a report.
    package mutating func take(_ report: PositionReport) {
        guard let event = watch.event(report) else { return }
        if event.location != nil { positions += 1 }
        emit(event)
    }

    /// A device, or the connection to all of them, is gone.
    package mutating func lost(_ device: String? = nil, reason: String) {
        if let event = watch.lost(device, reason: reason) { emit(event) }
    }

    /// Hands an event on as it is.
    package func send(_ event: GeoEvent) { emit(event) }
}
