package import Taffrail
package import TaffrailGeo

/// Publishes replayed events into a pipeline on time: it wakes the writer for each event, and raises the priority of the
/// writer thread while the replay thread has a raised priority. Confined to the replay thread.
package final class ReplayPublisher {
    private let player: ReplayPlayer
    private let pipeline: Pipeline
    private let publisher: FixPublisher
    private var hasRaisedPriority = false

    /// Logs events into a pipeline and publishes them in a feed.
    package init(_ player: ReplayPlayer, into pipeline: Pipeline, feed: LocationFeed = .shared) {
        self.player = player
        self.pipeline = pipeline
        publisher = FixPublisher(pipeline: pipeline, feed: feed, isReplayed: true)
    }

    /// Publishes an event.
    package func send(_ event: GeoEvent) {
        publisher.send(event)
        guard !player.options.isAsFastAsPossible else { return }
        setPriority(isRaised: player.timer.hasRaisedPriority)
        pipeline.wakeWriter()
    }

    /// Restores the writer thread's priority after the last event.
    package func end() { setPriority(isRaised: false) }

    private func setPriority(isRaised: Bool) {
        guard isRaised != hasRaisedPriority else { return }
        hasRaisedPriority = isRaised
        pipeline.setWriterPriority(isRaised: isRaised)
    }
}
