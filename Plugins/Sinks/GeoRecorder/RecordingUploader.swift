#if HTTP
internal import Taffrail
internal import TaffrailDelivery
internal import TaffrailHTTP
internal import TaffrailRecording

/// Runs a ``RecordingUpload`` on a thread of its own.
final class RecordingUploader: Sendable {
    private struct State {
        var isRunning = false
        var isStopping = false
        var isEnding = false
        var status = RecordingUpload.Status()
    }

    private let recording: RecordingOptions
    private let options: RecordingUploadOptions
    private let list: String
    private let name: String
    private let channel: HTTPChannel
    private let state = Locked(State())
    private let work = WakeUp()
    private let ended = WakeUp()
    private let process = ThisProcess.id
    /// After how long an idle thread looks for recordings, in nanoseconds: those of dead runs are ended by others.
    private static let idleInterval: Int64 = 5_000_000_000

    init(_ recording: RecordingOptions, _ options: RecordingUploadOptions, name: String) {
        self.recording = recording
        self.options = options
        self.name = name
        let directory = RecordingLeftovers.queueDirectory(of: DestinationPath.resolved(recording.directory))
        list = directory + "/" + SinkBook.StatusFile.fileName(of: name) + ".uploaded"
        var url = options.url
        while url.hasSuffix("/") { url.removeLast() }
        channel = HTTPChannel(url, options.delivery, name: name)
    }

    /// Whether this is a forked child, which does not have the thread.
    var isOfParent: Bool { process != ThisProcess.id }

    /// How it stands.
    var status: RecordingUpload.Status { state.withLock { $0.status } }

    /// Starts the thread, unless it runs.
    func start() {
        let isNew = state.withLock { state in
            guard !state.isRunning, !state.isStopping else { return false }
            state.isRunning = true
            return true
        }
        guard isNew, !DedicatedThread.start(named: "taffrail-record", takesSignals: false, { self.run() }) else {
            return
        }
        state.withLock { $0.isRunning = false }
        Diagnostics.report("\(name): no recordings are uploaded: the system starts no thread")
    }

    /// Looks for recordings that have been ended.
    func notify() { work.advance() }

    /// Ends the thread, after it has sent what it can in the time of the option `drain`.
    func stop() {
        state.withLock { $0.isEnding = true }
        work.advance()
        wait(options.delivery.drain.nanoseconds)
        state.withLock { $0.isStopping = true }
        channel.interrupt()
        work.advance()
        wait(1_000_000_000)
    }

    private func wait(_ nanoseconds: Int64) {
        let deadline = SystemClock.monotonicNanoseconds() + nanoseconds
        while true {
            let seen = ended.value
            guard state.withLock({ $0.isRunning }) else { return }
            let left = deadline - SystemClock.monotonicNanoseconds()
            if left <= 0 { return }
            ended.wait(while: seen, nanoseconds: left)
        }
    }

    private func run() {
        var upload = RecordingUpload(recording, options, list: list, channel: channel, name: name)
        while true {
            let seen = work.value
            let (isStopping, isEnding) = state.withLock { ($0.isStopping, $0.isEnding) }
            if isStopping { break }
            let next = upload.advance()
            let status = upload.status
            state.withLock { $0.status = status }
            switch next {
            case .now: continue
            case .stop: break
            case .idle where isEnding: break
            case .wait where isEnding: break
            case .idle:
                work.wait(while: seen, nanoseconds: Self.idleInterval)
                continue
            case .wait(let nanoseconds):
                pause(nanoseconds)
                continue
            }
            break
        }
        state.withLock { $0.isRunning = false }
        ended.advance()
    }

    /// Waits, also when further recordings are ended.
    private func pause(_ nanoseconds: Int64) {
        let deadline = SystemClock.monotonicNanoseconds() &+ nanoseconds
        while !state.withLock({ $0.isStopping || $0.isEnding }) {
            let seen = work.value
            let left = deadline - SystemClock.monotonicNanoseconds()
            if left <= 0 { return }
            work.wait(while: seen, nanoseconds: left)
        }
    }
}
#endif
