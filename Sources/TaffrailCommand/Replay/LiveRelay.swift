#if Command
internal import ArgumentParser
internal import Dispatch
internal import Taffrail
internal import TaffrailGeo
internal import TaffrailLocationManager
internal import TaffrailText
internal import TaffrailTracks
internal import TaffrailTransport

/// A receiver whose positions are forwarded to other programs, instead of a track.
struct LiveRelay {
    private let source: LocationSource
    private let outputs: [any GeoOutput]
    private let isQuiet: Bool

    /// Returns whether a file's name is that of a live source.
    static func source(_ name: String) -> LocationSource? {
        name.hasPrefix("gpsd://") || name.hasPrefix("nmea:") ? LocationSource(name) : nil
    }

    /// Opens the targets.
    ///
    /// - Throws: Exit status 73 when one cannot be opened, which has been reported on stderr.
    init(_ source: LocationSource, targets: [String], isQuiet: Bool) throws {
        self.source = source
        self.isQuiet = isQuiet
        outputs = try ReplayTargets.open(targets, device: Self.receiver(of: source))
        guard !isQuiet else { return }
        for output in outputs where output.listeners != nil { StandardStream.report("at \(output.name)") }
    }

    /// Returns the name that the positions of a source have; `nil` for a gpsd, which names its receivers later.
    private static func receiver(of source: LocationSource) -> String? {
        if case .nmea(let address) = source { StreamAddress(address)?.description } else { nil }
    }

    /// Forwards until a signal arrives, or a target fails.
    ///
    /// - Returns: The error of a failed target.
    func run() -> SystemError? {
        let interrupt = Interrupt()
        guard let signals = SignalPipe(SignalPipe.endings) else { return SystemError("watch for signals") }
        _ = DedicatedThread.start {
            _ = signals.next()
            interrupt.trigger()
        }
        let failure = Locked<SystemError?>(nil)
        let manager = LocationManager(source: source, queue: DispatchQueue(label: "taffrail.relay"))
        let listener = manager.addListener { [outputs, isQuiet] event in
            let happened: GeoEvent
            switch event {
            case .location(let location): happened = .location(location)
            case .error(let error):
                happened = .error(error)
                if !isQuiet { StandardStream.report(error.description) }
            default: return
            }
            do throws(SystemError) {
                for output in outputs {
                    try output.send(RecordedEvent(timestamp: .now, relativeTime: 0, event: happened))
                }
            } catch {
                failure.withLock { $0 = error }
                interrupt.trigger()
            }
        }
        manager.startUpdatingLocation()
        _ = interrupt.wait(timeout: nil)
        manager.stopUpdatingLocation()
        listener.cancel()
        for output in outputs { output.close() }
        return failure.withLock { $0 }
    }
}
#endif
