internal import Glibc
internal import Taffrail

/// The lines of a stream without random access, such as standard input.
package final class StreamLines: LineSource {
    private let descriptor: CInt
    private let follows: Bool
    /// The bytes read that are not yet a line, preceded by the current line.
    private var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 128 << 10, alignment: 16)
    private var filled = 0
    /// The current line.
    private var current = 0..<0
    /// The start of the next line.
    private var following = 0
    private var isAtEnd = false
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
        self.descriptor = descriptor
        self.label = label
        self.follows = follows
    }

    deinit { buffer.deallocate() }

    package var line: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: buffer[current]) }

    package func next() -> Bool {
        var searched = following
        while true {
            if let newline = buffer[searched..<filled].firstIndex(of: UInt8(ascii: "\n")) {
                take(following..<newline, next: newline + 1)
                return true
            }
            searched = filled
            if isAtEnd {
                guard following < filled else { return false }
                take(following..<filled, next: filled)
                return true
            }
            let moved = makeRoom()
            searched -= moved
            guard read() else { return false }
        }
    }

    private func take(_ range: Range<Int>, next: Int) {
        current = range
        following = next
        head = heads.read(line)
    }

    /// Moves the bytes that are not yet a line to the front, and grows the buffer if a single line fills it.
    ///
    /// - Returns: The distance by which they were moved.
    private func makeRoom() -> Int {
        let moved = following
        if moved > 0 {
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[moved..<filled]))
            filled -= moved
            following = 0
            current = 0..<0
        }
        guard filled == buffer.count else { return moved }
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * buffer.count, alignment: 16)
        larger.copyMemory(from: UnsafeRawBufferPointer(buffer))
        buffer.deallocate()
        buffer = larger
        return moved
    }

    /// Reads more bytes. `false`: none are available now.
    private func read() -> Bool {
        if follows {
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&request, 1, 0) > 0 else { return false }
        }
        while true {
            let count = Glibc.read(descriptor, buffer.baseAddress.map { $0 + filled }, buffer.count - filled)
            if count < 0 && errno == EINTR { continue }
            if count < 0 { problems.append("\(label): \(Errno.text(errno))") }
            if count > 0 { filled += count } else { isAtEnd = true }
            return true
        }
    }

    package func takeProblems() -> [String] {
        defer { problems = [] }
        return problems
    }

    package var wakeUp: CInt? { isAtEnd ? nil : descriptor }
}
