package import Taffrail
package import TaffrailGeo

/// The way of replayed events into a pipeline that keeps up with their times: the writer is woken for each, and its
/// thread comes first while the replay's does. On the replay's thread.
package final class ReplayOutlet {
    private let player: ReplayPlayer
    private let pipeline: Pipeline
    private let outlet: PositionOutlet
    private var isUrgent = false

    /// Logs events into a pipeline and publishes them in a feed.
    package init(_ player: ReplayPlayer, into pipeline: Pipeline, feed: LocationFeed = .shared) {
        self.player = player
        self.pipeline = pipeline
        outlet = PositionOutlet(pipeline: pipeline, feed: feed, isReplayed: true)
    }

    /// Takes an event.
    package func send(_ event: GeoEvent) {
        outlet.send(event)
        guard !player.options.isAsFastAsPossible else { return }
        setUrgent(player.timer.isUrgent)
        pipeline.hurry()
    }

    /// No replayed event comes any more.
    package func end() { setUrgent(false) }

    private func setUrgent(_ isUrgent: Bool) {
        guard isUrgent != self.isUrgent else { return }
        self.isUrgent = isUrgent
        pipeline.setWriterUrgent(isUrgent)
    }
}
