#if Command
internal import ArgumentParser
internal import Glibc
internal import Taffrail
internal import TaffrailText
#if Configuration
internal import TaffrailConfiguration
#endif

/// `taffrail run [--config FILE]`.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run the pipeline of a configuration until a signal arrives.",
        discussion: """
            The file is reloaded when it changes and on SIGHUP; it takes effect completely or not at all. SIGUSR1 rotates \
            the log files. SIGTERM and SIGINT drain the queue and end the program. See also taffrail ctl.

            Example:
              taffrail run --config /etc/taffrail/taffrail.yaml
            """)

    @Option(
        name: .long, help: ArgumentHelp("The file (\(ConfigurationFlag.search)).", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var config: String?

    func run() async throws {
        #if Configuration
        let (file, plan) = try ConfigurationFlag.requiredPlan(config)
        try await Self.run(plan, file: file)
        #else
        throw MissingTrait.configuration
        #endif
    }

    #if Configuration
    /// Runs a plan until a signal ends the program.
    ///
    /// - Parameters:
    ///   - file: Its file.
    ///   - isBuiltIn: Whether `file` is only a name: nothing is reloaded.
    ///   - check: Called once the pipeline runs; an error ends the program.
    static func run(
        _ plan: Plan, file: String, isBuiltIn: Bool = false, check: (Pipeline) throws -> Void = { _ in }
    ) async throws {
        ConfigurationFlag.printWarnings(of: plan)
        guard let signals = SignalPipe([SIGTERM, SIGINT, SIGHUP, SIGUSR1]) else { throw ExitCode.inputOutput }
        StandardStream.ignoreClosedPipes()
        let live = try ConfigurationFlag.start(plan, file: file, watches: !isBuiltIn)
        // Even if no record is logged, records of an earlier run are written.
        live.pipeline.begin()
        live.pipeline.logger.info("running \(file)")
        live.pipeline.drain(timeout: .seconds(10))
        try check(live.pipeline)
        let control = RunControlKeeper(live)
        ServiceManager.notify("READY=1")
        await Self.wait(for: signals, live, isBuiltIn: isBuiltIn)
        ServiceManager.notify("STOPPING=1")
        control.close()
        await live.stop()
        try UnwrittenRecords.shutDown(live.pipeline)
    }

    /// Handles signals until one ends the program, on a separate thread.
    private static func wait(for signals: SignalPipe, _ live: LiveConfiguration, isBuiltIn: Bool) async {
        _ = await DedicatedThread.value {
            let watchdog = ServiceManager.watchdogInterval
            while true {
                let signal = watchdog.map { signals.next(timeout: $0 / 2) } ?? signals.next()
                // A queue that cannot be drained is left to the service manager.
                if watchdog != nil && !live.pipeline.isStuck { ServiceManager.notify("WATCHDOG=1") }
                guard let number = signal else {
                    if watchdog == nil { return }
                    continue
                }
                switch number {
                case SIGHUP where isBuiltIn: break
                case SIGHUP:
                    ServiceManager.notify("RELOADING=1\nMONOTONIC_USEC=\(SystemClock.monotonicNanoseconds() / 1000)")
                    live.reloadOrReport()
                    ServiceManager.notify("READY=1")
                case SIGUSR1: live.pipeline.rotate()
                default: return
                }
            }
        }
    }
    #endif
}
#endif
