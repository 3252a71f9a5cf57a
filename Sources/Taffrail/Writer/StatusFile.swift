extension SinkBook {
    /// The status of one plugin instance, in a file that `taffrail status` prints, also after the program has died.
    ///
    /// `SINK.status` in a directory `.taffrail` contains one JSON object of at most 4 KiB, replaced atomically. Any
    /// thread may use it.
    public final class StatusFile: Sendable {
        /// Its path.
        public let path: String
        private let now: @Sendable () -> Int64
        private let state = Locked(State())

        private struct State {
            /// The earliest time of the next write, on the monotonic clock.
            var due: Int64 = .min
            /// The last values that were published too early, and when.
            var early: (values: [LogValueEntry], time: Timestamp)?
            /// The process whose thread waits to write them; 0 without a thread.
            var waiting: Int32 = 0
        }

        /// The longest file, in bytes.
        package static let limit = 4096
        /// The minimum time between writes, in nanoseconds.
        static let interval: Int64 = 1_000_000_000
        package static let suffix = ".status"

        /// Names the file of an instance without writing it.
        ///
        /// - Parameters:
        ///   - instance: The instance's name; characters that a file name cannot contain are encoded.
        ///   - directory: The state directory of the plugin, a `.taffrail`.
        public convenience init(of instance: String, in directory: String) {
            self.init(of: instance, in: directory, now: { SystemClock.monotonicNanoseconds() })
        }

        init(of instance: String, in directory: String, now: @escaping @Sendable () -> Int64) {
            path = directory + "/" + Self.fileName(of: instance) + Self.suffix
            self.now = now
        }

        /// Replaces the file. If it was written less than a second ago, the last values are written when that second
        /// is over.
        ///
        /// - Parameters:
        ///   - values: The values, in order; those that do not fit are omitted, and `truncated` is added.
        ///   - isFinal: Whether this is the last write, which never waits. Default `false`.
        /// - Returns: Whether the file has been written.
        @discardableResult
        public func publish(_ values: [LogValueEntry], isFinal: Bool = false) -> Bool {
            let time = now()
            return state.withLock { state in
                guard isFinal || time >= state.due else {
                    state.early = (values, .now)
                    let process = ThisProcess.id
                    // A forked child does not have the thread of its parent.
                    if state.waiting != process, startWaiting() { state.waiting = process }
                    return false
                }
                state.early = nil
                state.due = time &+ Self.interval
                return replace(by: Self.json(values, at: .now))
            }
        }

        private func startWaiting() -> Bool {
            DedicatedThread.start(named: "taffrail-status", takesSignals: false) { [weak self] in
                // At least a millisecond, for a clock that stands still.
                while let wait = self?.writeEarly() { SystemClock.sleep(for: max(wait, .milliseconds(1))) }
            }
        }

        /// Writes the values that were published too early, if they are due now.
        ///
        /// - Returns: How long to wait until the next call; `nil` if there is nothing to write.
        func writeEarly() -> Duration? {
            let time = now()
            return state.withLock { state in
                if time < state.due { return Duration.nanoseconds(state.due - time) }
                guard let early = state.early else {
                    state.waiting = 0
                    return nil
                }
                state.early = nil
                state.due = time &+ Self.interval
                _ = replace(by: Self.json(early.values, at: early.time))
                return .nanoseconds(Self.interval)
            }
        }

        private func replace(by bytes: [UInt8]) -> Bool {
            let (directory, temporary) = (Directory.parent(of: path), path + ".\(ThisProcess.id).tmp")
            let replaced: Void? = try? FileName.replace(
                path, with: bytes, forOwnerOf: directory, by: temporary, isDurable: false)
            return replaced != nil
        }

        private static func json(_ values: [LogValueEntry], at time: Timestamp) -> [UInt8] {
            // Encoded like a record's attributes, so that there is only one encoder of values as JSON.
            let encoded = CopiedRecords()
            encoded.append(LogRecord(level: .info, message: "", attributes: values), end: 0)
            let view = RecordView(encoded.base, run: .none, end: 0, tables: nil)
            var buffer = LineBuffer(capacity: limit)
            buffer.append("{\"time\":\"")
            buffer.append(string: "\(time)")
            buffer.append("\"")
            let truncated: StaticString = ",\"truncated\":true}\n"
            var end: StaticString = "}\n"
            var entries = view.entries
            while let entry = entries.next() {
                let before = buffer.count
                buffer.append(",")
                buffer.append(quoted: entry.key, by: JSONEscape.self)
                buffer.append(UInt8(ascii: ":"))
                buffer.append(entry, by: JSONEscape.self)
                if buffer.count + truncated.utf8CodeUnitCount > limit {
                    buffer.truncate(to: before)
                    end = truncated
                    break
                }
            }
            buffer.append(end)
            return Array(buffer.bytes)
        }

        /// Returns a file name in which letters, digits, `-`, `_` and dots (except a leading one) represent themselves,
        /// and each other byte is written as `%` and two hexadecimal digits. A long name ends with its checksum.
        package static func fileName(of instance: String) -> String {
            let name = PercentText.encoded(instance) {
                $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") && $1 > 0
            }
            return RingHeader.storedName(name, limit: 200)
        }
    }
}
