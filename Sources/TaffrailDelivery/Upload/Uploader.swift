internal import Synchronization
internal import Taffrail

/// Runs an ``Upload`` on its own thread.
package final class Uploader: Sendable {
    private let spool: Spool
    private let destination: any Destination
    private let options: UploadOptions
    private let clock: UploadClock
    private let publish: @Sendable (UploadStatus) -> Void
    private let thread = DeliveryThread(named: "taffrail-upload")
    /// The number of pending bytes at which the thread is woken.
    private let threshold = Atomic<Int64>(0)
    /// The time after which the status is written again while records wait.
    private static let statusInterval = Duration.seconds(10)
    /// The time after which an idle thread checks for dead letters to send again.
    private static let idleInterval = Duration.seconds(5)

    /// - Parameter publish: Called on the thread whenever the status may have changed.
    package init(
        _ spool: Spool, to destination: any Destination, options: UploadOptions, clock: UploadClock = UploadClock(),
        publish: @escaping @Sendable (UploadStatus) -> Void
    ) {
        self.spool = spool
        self.destination = destination
        self.options = options
        self.clock = clock
        self.publish = publish
    }

    /// Starts the thread, unless it runs.
    package func start() {
        if !thread.start({ self.run() }) {
            Diagnostics.report("records remain in \(spool.options.directory): cannot start a thread")
        }
    }

    /// Wakes the thread if the spool has as many bytes as it waits for.
    package func notify() {
        let wanted = threshold.load(ordering: .sequentiallyConsistent)
        guard wanted < .max, wanted <= 1 || spool.pendingBytes >= wanted else { return }
        thread.wake()
    }

    /// Ends the thread.
    ///
    /// - Parameter drain: How long it may first send the remaining records, if the destination is working.
    package func stop(drain: Duration) {
        thread.stop(drain: drain) { destination.interrupt() }
    }

    private func run() {
        var upload = Upload(spool, to: destination, options: options, clock: clock)
        while true {
            let seen = thread.wakeUps
            threshold.store(0, ordering: .sequentiallyConsistent)
            let phase = thread.phase
            if phase == .stopping { break }
            let isEnding = phase == .ending
            let next = upload.advance(isEnding: isEnding)
            publish(upload.status)
            switch next {
            case .now: continue
            case .stop: break
            case .idle where isEnding: break
            // After a failure there is no point in waiting for the end.
            case .wait where isEnding && upload.status.problem != nil: break
            case .idle:
                sleep(seen, bytes: 1, for: Self.idleInterval)
                continue
            case .wait(let time, let bytes):
                sleep(seen, bytes: bytes, for: min(time, Self.statusInterval))
                continue
            }
            break
        }
    }

    private func sleep(_ seen: UInt32, bytes: Int64, for duration: Duration) {
        threshold.store(bytes, ordering: .sequentiallyConsistent)
        // Records that arrived before the threshold was set have not woken the thread.
        guard bytes == .max || spool.pendingBytes < bytes else { return }
        thread.sleep(while: seen, for: duration)
    }
}
