internal import Dispatch
internal import Taffrail
internal import TaffrailGeo
internal import TaffrailRecording
internal import TaffrailTracks
internal import TaffrailText

/// A replay for a ``GeoLogger``: a manager that receives only the events of a recording.
final class LoggerReplay: Sendable {
    /// Passes on replayed events, on the logger's queue.
    let manager: LocationManager
    private let path: String
    private let feed: LocationFeed
    private let player: ReplayPlayer
    private let listener = Locked<LocationListener?>(nil)

    /// Creates a replay without opening anything.
    ///
    /// - Parameters:
    ///   - like: The manager that it replaces.
    ///   - report: Called on that manager's queue.
    /// - Throws: `OptionError` for an invalid configuration.
    init(
        _ configuration: GeoLoggerConfiguration, like: LocationManager,
        report: @escaping @Sendable (LocationManagerEvent) -> Void
    ) throws(OptionError) {
        guard let name = configuration.replayFileName else { throw OptionError("replayFileName", "is missing") }
        var options = ReplayOptions(
            path: name.hasPrefix("/") ? name : configuration.recordingOptions.directory + "/" + name)
        options.rate = configuration.replaySpeedMultiplier
        options.loops = configuration.loopReplay
        path = options.path
        player = try ReplayPlayer(options)
        feed = LocationFeed()
        manager = LocationManager(feed: feed, queue: like.queue)
        manager.distanceFilter = like.distanceFilter
        let listener = manager.addListener(report)
        self.listener.withLock { $0 = listener }
    }

    /// Starts on a separate thread, which reports the skipped points at the end.
    ///
    /// - Parameters:
    ///   - ended: Called at the end, with the error, if any, and the number of events before it; also called after
    ///     ``stop()``, without an error.
    ///   - thread: Starts a thread; returns `false` if the system refuses.
    func start(
        _ ended: @escaping @Sendable (RecordingError?, Int) -> Void,
        on thread: (@escaping @Sendable () -> Void) -> Bool = { DedicatedThread.start($0) }
    ) {
        manager.startUpdatingLocation()
        let isStarted = thread { [player, feed] in
            defer { for line in player.warnings.lines { Diagnostics.report("GeoLogger: \(line)") } }
            do throws(RecordingError) {
                try player.run(prepare: { _ in feed.setAuthorization(.authorizedAlways) }) { event in
                    // Consumers of positions need not know their source.
                    if event.event.error?.replayJump == nil { feed.publish(event.event) }
                }
                ended(nil, player.status.replayed)
            } catch {
                ended(error, player.status.replayed)
            }
        }
        if !isStarted { ended(RecordingError(.system, path: path, reason: "cannot start a thread"), 0) }
    }

    /// Stops the replay; no more events follow.
    func stop() {
        player.stop()
        manager.stopUpdatingLocation()
        listener.withLock { $0 = nil }
    }

    deinit { player.stop() }
}
