#if HTTP
internal import Taffrail
internal import TaffrailDelivery
internal import TaffrailHTTP
internal import TaffrailRecording

/// Runs a ``RecordingUpload`` on its own thread.
final class RecordingUploader: Sendable {
    private let recording: RecordingOptions
    private let options: RecordingUploadOptions
    private let list: String
    private let name: String
    private let channel: HTTPChannel
    private let state = Locked(RecordingUpload.Status())
    private let thread = DeliveryThread(named: "taffrail-record")
    private let process = ThisProcess.id
    /// The interval at which an idle thread looks for recordings: other processes may finish those of dead runs.
    private static let idleInterval = Duration.seconds(5)

    init(_ recording: RecordingOptions, _ options: RecordingUploadOptions, name: String) {
        self.recording = recording
        self.options = options
        self.name = name
        list = UploadedRecordings.path(of: name, in: recording.directory)
        var url = options.url
        while url.hasSuffix("/") { url.removeLast() }
        channel = HTTPChannel(url, options.delivery, name: name)
    }

    /// Whether this is a forked child, in which the thread does not exist.
    var isOfParent: Bool { process != ThisProcess.id }

    /// The status of the upload.
    var status: RecordingUpload.Status { state.withLock { $0 } }

    /// Starts the thread, unless it is running.
    func start() {
        if !thread.start({ self.run() }) {
            Diagnostics.report("\(name): cannot start a thread, so no recordings are uploaded")
        }
    }

    /// Looks for finished recordings.
    func notify() { thread.wake() }

    /// Ends the thread after it has sent as much as possible within the option `drain`.
    func stop() {
        thread.stop(drain: options.delivery.drain) { channel.interrupt() }
    }

    private func run() {
        var upload = RecordingUpload(recording, options, list: list, channel: channel, name: name)
        while true {
            let seen = thread.wakeUps
            let phase = thread.phase
            if phase == .stopping { break }
            let next = upload.advance()
            let status = upload.status
            state.withLock { $0 = status }
            switch next {
            case .now: continue
            case .stop: break
            case .idle where phase == .ending: break
            case .wait where phase == .ending: break
            case .idle:
                thread.sleep(while: seen, for: Self.idleInterval)
                continue
            case .wait(let time):
                // Even if further recordings are finished.
                thread.pause(for: time)
                continue
            }
            break
        }
    }
}
#endif
