internal import Glibc
internal import Taffrail

/// The lines of a stream, such as the standard input, which cannot be sought in.
package final class StreamLines: LineSource {
    private let descriptor: CInt
    private let follows: Bool
    /// What has been read and is not yet a line, with the current line in front.
    private var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 128 << 10, alignment: 16)
    private var filled = 0
    /// The current line.
    private var current = 0..<0
    /// Where the next one begins.
    private var following = 0
    private var isAtEnd = false
    private var heads = LineHeadReader()
    private var problems: [String] = []
    package private(set) var head = LineHead()
    package let fallbackTime = Timestamp.now.nanoseconds
    package let label: String

    /// - Parameters:
    ///   - descriptor: What is read; it stays open.
    ///   - label: What it is called.
    ///   - follows: Whether ``next()`` waits for nothing.
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

    /// Moves what is not yet a line to the front, and makes the buffer larger where it is all one line.
    ///
    /// - Returns: How far it was moved.
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

    /// Reads some more. `false`: there is nothing now.
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
