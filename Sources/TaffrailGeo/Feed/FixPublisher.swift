package import Taffrail

/// Publishes the reports of an input as events, through a detector of lost fixes.
package struct FixPublisher {
    private var watch = FixLossDetector()
    private let emit: (GeoEvent) -> Void

    /// Passes events to a closure.
    package init(emit: @escaping (GeoEvent) -> Void) { self.emit = emit }

    /// Logs events into a pipeline and publishes them in the program's feed.
    ///
    /// - Parameters:
    ///   - isReplayed: Whether the events happened elsewhere or earlier.
    ///   - demand: Decides which positions are logged and published. Default: all.
    package init(
        pipeline: Pipeline, feed: LocationFeed = .shared, isReplayed: Bool = false, demand: DemandedSource? = nil
    ) {
        self.init { event in
            if let demand, !demand.admits(event) { return }
            event.log(into: pipeline, isReplayed: isReplayed)
            feed.publish(event)
        }
    }

    /// Publishes a report.
    package mutating func take(_ report: PositionReport) {
        if let event = watch.event(report) { emit(event) }
    }

    /// Reports that a device, or the connection to all of them, is lost.
    package mutating func lost(_ device: String? = nil, reason: String) {
        if let event = watch.lost(device, reason: reason) { emit(event) }
    }

    /// Publishes an event unchanged.
    package func send(_ event: GeoEvent) { emit(event) }
}
