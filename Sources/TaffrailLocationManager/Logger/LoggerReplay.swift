internal import Dispatch
internal import Synchronization
internal import Taffrail
internal import TaffrailGeo
internal import TaffrailRecording
internal import TaffrailTracks
internal import TaffrailTransport

/// A replay on behalf of a ``GeoLogger``: a manager that hears nothing but a recording.
final class LoggerReplay: Sendable {
    /// Tells what is replayed, on the logger's queue.
    let manager: LocationManager
    private let feed: LocationFeed
    private let player: ReplayPlayer
    private let listener = Mutex<LocationListener?>(nil)

    /// Makes a replay; it opens nothing yet.
    ///
    /// - Parameters:
    ///   - like: The manager in whose place it speaks.
    ///   - tell: Called on that manager's queue.
    /// - Throws: ``OptionError`` for a configuration that is not possible.
    init(
        _ configuration: GeoLoggerConfiguration, like: LocationManager,
        tell: @escaping @Sendable (LocationManagerEvent) -> Void
    ) throws(OptionError) {
        guard let name = configuration.replayFileName else { throw OptionError("replayFileName", "is missing") }
        var options = ReplayOptions(
            path: name.hasPrefix("/") ? name : configuration.recordingOptions.directory + "/" + name)
        options.rate = configuration.replaySpeedMultiplier
        options.loops = configuration.loopReplay
        player = try ReplayPlayer(options)
        feed = LocationFeed()
        manager = LocationManager(feed: feed, queue: like.queue)
        manager.distanceFilter = like.distanceFilter
        let listener = manager.addListener(tell)
        self.listener.withLock { $0 = listener }
    }

    /// Begins, on a thread of its own.
    ///
    /// - Parameter ended: Called at its end, with what was wrong with the file and how many events came before that; not
    ///   when it was stopped.
    func start(_ ended: @escaping @Sendable (RecordingError?, Int) -> Void) {
        manager.startUpdatingLocation()
        let isStarted = DedicatedThread.start { [player, feed] in
            do throws(RecordingError) {
                try player.run(prepare: { _ in feed.setAuthorization(.authorizedAlways) }) { event in
                    // Whoever asks for positions is not interested in where they are taken from.
                    if event.event.error?.replayJump == nil { feed.publish(event.event) }
                }
                ended(nil, player.status.replayed)
            } catch {
                ended(error, player.status.replayed)
            }
        }
        if !isStarted { ended(nil, 0) }
    }

    /// Ends it; nothing more is told.
    func stop() {
        player.stop()
        manager.stopUpdatingLocation()
        listener.withLock { $0 = nil }
    }

    deinit { player.stop() }
}
