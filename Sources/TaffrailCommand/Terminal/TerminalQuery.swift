#if Command
internal import ArgumentParser
internal import Glibc
internal import Taffrail
internal import TaffrailText

/// The properties of the terminal on stdout.
enum TerminalQuery {
    /// How long to wait for the terminal's answer.
    private static let patience = Duration.milliseconds(500)

    /// Its size in characters; 80 by 24 if unknown.
    static var size: (columns: Int, rows: Int) {
        var found = winsize()
        for descriptor: CInt in [1, 2] where ioctl(descriptor, UInt(TIOCGWINSZ), &found) == 0 && found.ws_col > 0 {
            return (Int(found.ws_col), max(1, Int(found.ws_row)))
        }
        return (80, 24)
    }

    /// The graphics that it reports as supported; ``TerminalGraphics/blocks`` if it does not answer.
    static var graphics: TerminalGraphics {
        guard StandardStream.isTerminal(1), let kind = Environment["TERM"], kind != "dumb" else { return .blocks }
        guard let terminal = try? FileDescriptor("/dev/tty", [.readWrite, .noTerminal]) else { return .blocks }
        return ask(terminal)
    }

    private static func ask(_ terminal: borrowing FileDescriptor) -> TerminalGraphics {
        let number = terminal.number
        var before = termios()
        // A background process must not access the terminal.
        guard tcgetpgrp(number) == getpgrp(), tcgetattr(number, &before) == 0 else { return .blocks }
        var raw = before
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
        tcsetattr(number, TCSANOW, &raw)
        defer { tcsetattr(number, TCSANOW, &before) }
        do throws(SystemError) {
            try terminal.write(Array(TerminalGraphics.question.utf8))
        } catch {
            return .blocks
        }
        return answer(terminal)
    }

    private static func answer(_ terminal: borrowing FileDescriptor) -> TerminalGraphics {
        let deadline = SystemClock.monotonicNanoseconds(after: patience)
        var answer: [UInt8] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256, alignment: 1)
        defer { buffer.deallocate() }
        while true {
            let left = Duration.nanoseconds(deadline - SystemClock.monotonicNanoseconds())
            var request = pollfd(fd: terminal.number, events: Int16(POLLIN), revents: 0)
            guard left > .zero, poll(&request, 1, left.pollTimeout) > 0 else { return .blocks }
            let count = (try? terminal.readNext(into: buffer)) ?? 0
            guard count > 0 else { return .blocks }
            answer += buffer[..<count]
            if let graphics = TerminalGraphics(answer: answer) { return graphics }
        }
    }
}

extension TerminalGraphics: ExpressibleByArgument {}
#endif
