#if HTTP
internal import Taffrail
internal import TaffrailDelivery
internal import TaffrailGeo
internal import TaffrailHTTP
internal import TaffrailRecording
internal import TaffrailTransport

/// Uploads the finished recordings of a directory, oldest first. Confined to one thread.
struct RecordingUpload {
    /// The next step.
    enum Next: Equatable {
        /// Call again immediately.
        case now
        /// Call again after that time.
        case wait(for: Duration)
        /// Call again when a recording may have been finished.
        case idle
        /// The channel was interrupted.
        case stop
    }

    /// The status of the upload.
    struct Status: Equatable {
        /// The number of finished recordings that have not been sent.
        var waiting = 0
        /// The reason why the last attempt failed; `nil` after a success.
        var problem: String?
    }

    private let directory: String
    private let options: RecordingUploadOptions
    private let name: String
    private let device: String
    private let channel: HTTPChannel
    private let isCompressing: Bool
    private let partSize: Int
    private let now: @Sendable () -> Int64
    private var uploaded: UploadedRecordings
    private var transfer: RecordingTransfer?
    private var current = ""
    /// The refused recordings, until the next run.
    private var refused: Set<String> = []
    /// The unsent recordings when the directory was last read.
    private var waiting: Set<String> = []
    private var backoff: Backoff
    /// Whether a pause has been reported, but not its end.
    private var isPaused = false
    private(set) var status = Status()

    /// How long the upload of a finished recording waits for its compression.
    static let compressionTime = Duration.seconds(10)

    /// - Parameters:
    ///   - recording: The recorder's options.
    ///   - list: The file with the names of uploaded recordings.
    ///   - name: The sink's name.
    init(
        _ recording: RecordingOptions, _ options: RecordingUploadOptions, list: String, channel: HTTPChannel,
        name: String,
        partSize: Int = RecordingTransfer.parts.first,
        now: @escaping @Sendable () -> Int64 = { SystemClock.wallNanoseconds() }
    ) {
        directory = DestinationPath.resolved(recording.directory)
        isCompressing = recording.compressesClosed
        self.options = options
        self.name = name
        self.channel = channel
        self.partSize = partSize
        self.now = now
        device = options.device ?? DeviceID.machine ?? RecordingUploadOptions.plain(Environment.host)
        uploaded = UploadedRecordings(list)
        backoff = Backoff(first: .seconds(1), longest: max(.seconds(1), options.delivery.longestRetry))
    }

    /// Makes one request, or finds the next recording.
    mutating func advance() -> Next {
        guard let step = transfer?.advance(channel) else { return find() }
        switch step {
        case .interrupted: return .stop
        case .sent(let bytes):
            succeed()
            guard let rate = options.delivery.rate?.bytes, bytes > 0 else { return .now }
            return .wait(for: UploadPace.wait(after: bytes, rate: rate))
        case .complete:
            succeed()
            end()
            return .now
        case .refused(let reason):
            Diagnostics.report("\(name): \(current) is not uploaded: \(reason)")
            status.problem = reason
            refused.insert(RecordingName.uncompressed(current))
            waiting.remove(RecordingName.uncompressed(current))
            transfer = nil
            return .now
        case .failed(let reason, let notBefore):
            fail(reason)
            // By then, the file may be compressed or deleted; the receiver returns the number of bytes that it has.
            transfer = nil
            let requested = notBefore.map { UploadPace.wait(until: $0, now: now()) } ?? .zero
            return .wait(for: max(backoff.delay(), requested))
        }
    }

    /// Reports why uploads are paused, unless they are already paused.
    private mutating func fail(_ reason: String) {
        if !isPaused { Diagnostics.report("\(name): uploads are paused: \(reason)") }
        isPaused = true
        status.problem = reason
    }

    private mutating func succeed() {
        if isPaused { Diagnostics.report("\(name): recordings are uploaded to \(channel.origin) again") }
        isPaused = false
        status.problem = nil
        backoff.reset()
    }

    /// Records that the receiver has the current recording.
    private mutating func end() {
        transfer = nil
        let name = RecordingName.uncompressed(current)
        waiting.remove(name)
        status.waiting = waiting.count
        let existing = (try? Directory.entries(of: directory))?.map(\.name)
        do throws(SystemError) { try uploaded.insert(name, existing: existing) } catch {
            Diagnostics.report("\(self.name): \(error)")
        }
    }

    /// Begins with the oldest unsent recording.
    private mutating func find() -> Next {
        var found: [String] = []
        do throws(SystemError) { found = try Directory.entries(of: directory).map(\.name) } catch {
            // The directory is created with the first recording.
            if !error.isMissing {
                fail("\(error)")
                return .wait(for: backoff.delay())
            }
        }
        let files = found.filter {
            RecordingName.isOurs($0) && !uploaded.names.contains(RecordingName.uncompressed($0))
                && !refused.contains(RecordingName.uncompressed($0))
        }
        let names = Set(files.map(RecordingName.uncompressed))
        for name in waiting.subtracting(names).sorted() {
            Diagnostics.report("\(self.name): \(directory)/\(name) was deleted before it was uploaded")
        }
        waiting.formIntersection(names)
        for file in files.sorted() where isReady(file) { waiting.insert(RecordingName.uncompressed(file)) }
        status.waiting = waiting.count
        guard let next = files.sorted().first(where: { waiting.contains(RecordingName.uncompressed($0)) }) else {
            return .idle
        }
        current = next
        do throws(SystemError) {
            transfer = try RecordingTransfer(
                directory + "/" + next, as: "\(device)_\(next)", partSize: partSize)
            return .now
        } catch {
            // The file may have been compressed or deleted in the meantime.
            if !error.isMissing { fail("\(error)") }
            return .wait(for: backoff.delay())
        }
    }

    private func isReady(_ file: String) -> Bool {
        let path = directory + "/" + file
        if waiting.contains(RecordingName.uncompressed(file)) { return true }
        do throws(SystemError) {
            let age = now() &- (try FileStatus.following(path).modified)
            let isRecent = (0..<Self.compressionTime.nanoseconds).contains(age)
            if isCompressing, isRecent, !file.hasSuffix(".gz") { return false }
        } catch {
            // The name may be a link to a missing file. Other errors are reported when it is opened.
            if error.isMissing { return false }
        }
        return RecordingLeftovers.isEnded(path)
    }
}
#endif
