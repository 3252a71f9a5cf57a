internal import Glibc
internal import Taffrail
internal import TaffrailText

/// The lines of a stream without random access, such as standard input.
package final class StreamLines: LineSource {
    private let reader: LineReader<StreamSource>
    private var heads = LineHeadReader()
    private var problems: [String] = []
    package private(set) var head = LineHead()
    package let fallbackTime = Timestamp.now.nanoseconds
    package let label: String

    /// - Parameters:
    ///   - descriptor: The stream to read; it stays open.
    ///   - label: Its name in messages.
    ///   - follows: Whether ``next()`` returns without waiting for data.
    package init(descriptor: CInt, label: String, follows: Bool) {
        self.label = label
        reader = LineReader(StreamSource(descriptor, follows: follows))
    }

    /// A carriage return before the newline belongs to the line.
    package var line: UnsafeRawBufferPointer {
        let whole = reader.lineWithEnding
        return whole.last == 0x0A ? UnsafeRawBufferPointer(rebasing: whole.dropLast()) : whole
    }

    package func next() -> Bool {
        do throws(SystemError) {
            if try reader.next(takesRest: false) {
                head = heads.read(line)
                return true
            }
        } catch {
            problems.append("\(label): \(Errno.text(error.code))")
        }
        guard reader.feed.isAtEnd, (try? reader.next(takesRest: true)) == true else { return false }
        head = heads.read(line)
        return true
    }

    package func takeProblems() -> [String] {
        defer { problems = [] }
        return problems
    }

    package var wakeUp: CInt? { reader.feed.isAtEnd ? nil : reader.feed.descriptor }
}

/// The bytes of a stream, up to its end or an error.
private final class StreamSource: ByteSource {
    let descriptor: CInt
    private let follows: Bool
    private(set) var isAtEnd = false

    init(_ descriptor: CInt, follows: Bool) {
        self.descriptor = descriptor
        self.follows = follows
    }

    /// Reads bytes; also returns 0 if none are currently available.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        if isAtEnd { return 0 }
        if follows {
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&request, 1, 0) > 0 else { return 0 }
        }
        while true {
            let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            if count < 0 && errno == EINTR { continue }
            isAtEnd = count <= 0
            if count < 0 { throw SystemError("read") }
            return count
        }
    }
}
