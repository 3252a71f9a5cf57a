public import Taffrail
public import TaffrailGeo
internal import TaffrailRecording
internal import TaffrailTracks
internal import TaffrailText

/// Replays a recording or another track at its own pace: each fix becomes a record with event name `geo.location`,
/// marked as simulated, each loss of the fix and each jump a `geo.error`, and recorded log records become log records.
///
/// The events are also published in a feed, which a ``LocationManager`` can listen to.
public struct GeoReplayInput: Input {
    private let player: ReplayPlayer
    private let control: String?
    private let feed: LocationFeed
    private let name: String

    /// Creates an input, which opens its file when it runs.
    ///
    /// - Parameters:
    ///   - options: Its options.
    ///   - name: The instance's name, used to address commands.
    ///   - feed: The feed in which positions are published.
    /// - Throws: ``OptionError`` for invalid options.
    public init(_ options: GeoReplayOptions, name: String = "geo-replay", feed: LocationFeed = .shared) throws {
        try self.init(ReplayPlayer(options.replay), name: name, control: options.control, feed: feed)
    }

    init(_ player: ReplayPlayer, name: String = "geo-replay", control: String? = nil, feed: LocationFeed) {
        self.name = name
        self.player = player
        self.control = control
        self.feed = feed
        feed.attachInput()
    }

    /// Logs until the track ends or the task is cancelled. A damaged file is replayed up to the damage, which is
    /// reported and logged as a `geo.error`; other inputs continue.
    ///
    /// - Throws: An error if the file cannot be opened, which is also logged as a `geo.error`, or the socket cannot be
    ///   created.
    public func run(into pipeline: Pipeline) async throws {
        let socket = try control.map { try ReplayControl(player, socket: $0) }
        defer { socket?.close() }
        let commands = pipeline.handleCommands(for: name) { [player] in try ReplayControl.execute($0, player) }
        defer { commands.end() }
        await withTaskCancellationHandler {
            await DedicatedThread.run { [player, feed, name] _ in Self.replay(player, pipeline, feed, name) }
        } onCancel: {
            player.stop()
        }
        feed.forgetAuthorization(of: name)
        if let failure = player.failure, failure.kind != .malformed { throw failure }
    }

    private static func replay(_ player: ReplayPlayer, _ pipeline: Pipeline, _ feed: LocationFeed, _ name: String) {
        let publisher = ReplayPublisher(player, into: pipeline, feed: feed)
        defer { publisher.end() }
        do throws(RecordingError) {
            try player.run(prepare: { _ in feed.setAuthorization(.authorizedAlways, of: name) }) {
                publisher.send($0.event)
            }
        } catch {
            let replayed = player.status.replayed
            var reason = "\(error)"
            if error.kind == .malformed {
                reason += "; \(replayed) readable events before that were replayed"
                Diagnostics.report(reason)
            }
            publisher.send(.error(error.kind == .denied ? .denied(reason) : .locationUnknown(reason)))
        }
        for line in player.warnings.lines { Diagnostics.report(line) }
        pipeline.logger("geo.replay").info(
            "replay of \(player.options.path) ended: \(player.timing.description)",
            ["taffrail.replay.events": .int(Int64(player.status.replayed))])
    }
}
