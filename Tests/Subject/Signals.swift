import Glibc
import Taffrail

/// Logs, and prints the effect of a signal on a forked child, on a program whose log has ended, and on one that
/// continues.
struct Signals {
    private let pipeline: Pipeline

    init(_ options: FileOptions) throws { pipeline = try makePipeline(options) }

    /// Sends SIGTERM to a forked child and prints how it ended.
    ///
    /// - Parameter childLogs: Whether the child has logged before.
    func signalChild(childLogs: Bool) {
        pipeline.logger.info("parent")
        var pipe: [CInt] = [0, 0]
        guard Glibc.pipe(&pipe) == 0 else { exit(70) }
        let child = taffrailForkForTests()
        if child == 0 {
            if childLogs { for n in 1...1000 { pipeline.logger.info("child \(n)") } }
            write(pipe[1], "1", 1)
            while true {
                usleep(1000)
                if childLogs { pipeline.logger.debug("not at level info") }
            }
        }
        var byte: UInt8 = 0
        guard read(pipe[0], &byte, 1) == 1 else { exit(70) }
        kill(child, SIGTERM)
        // As often as takes much longer than the time in which the parent itself would have ended.
        for _ in 0..<100_000 {
            var status: CInt = 0
            if waitpid(child, &status, WNOHANG) == child {
                say(status & 0x7F == 0 ? "exited \(status >> 8)" : "killed \(status & 0x7F)")
                pipeline.shutdown()
                return
            }
            usleep(1000)
        }
        say("still running")
        kill(child, SIGKILL)
    }

    /// Ends its log and sends itself SIGTERM, after which it does not print anything more.
    func signalAfterShutdown() {
        pipeline.logger.info("line 1")
        pipeline.shutdown()
        say("shut down")
        // Delivered before the call returns, as no other thread takes signals.
        kill(getpid(), SIGTERM)
        say("still running")
    }

    /// Takes one SIGTERM, which all threads block apart from that, so that the next one cannot kill the process.
    func blockSignal() {
        Lifecycle.limit.withLock { $0 = .milliseconds(200) }
        var blocked = sigset_t()
        sigemptyset(&blocked)
        sigaddset(&blocked, SIGTERM)
        var before = sigset_t()
        pthread_sigmask(SIG_BLOCK, &blocked, &before)
        sigdelset(&before, SIGTERM)
        pipeline.logger.info("line 1")
        kill(getpid(), SIGTERM)
        // The handler runs in here. While it does, and from its end on, this thread blocks the signal.
        sigsuspend(&before)
        // Much longer than the time limit.
        for _ in 0..<100_000 { usleep(1000) }
        say("still running")
    }

    /// Logs a line every 10 ms until it is ended.
    func tick() {
        var n = 0
        while true {
            n += 1
            pipeline.logger.info("tick \(n)")
            usleep(10_000)
        }
    }
}
