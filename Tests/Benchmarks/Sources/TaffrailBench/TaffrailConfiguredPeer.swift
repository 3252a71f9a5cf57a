import CBench
import Glibc
import Taffrail
import TaffrailConfiguration
import TaffrailConsole
import TaffrailFilter
import TaffrailJournald
import TaffrailMemory
import TaffrailRedaction
import TaffrailSampling

/// Taffrail with everything that a configuration can enable: the cost of a call that is nevertheless below the level.
nonisolated(unsafe) let taffrailConfiguredPeer = bench_implementation(
    name: strdup("taffrail-configured"),
    start: { directory in
        guard let directory else { exit(1) }
        startConfigured(String(cString: directory))
    },
    log_lines: { _, first, count in Workload.logLines(Workload.ids(first, count)) },
    log_with_attributes: nil,
    finish: { _, _ in Logger.shared.flush() },
    log_disabled: { Workload.logDisabled(Int($0)) },
    loop_empty: { Workload.loopEmpty(count: $0) })

private func startConfigured(_ directory: String) {
    let file = directory + "/taffrail.yaml"
    let text = """
        level: info
        levels: { net: debug, net.http: warning }
        processors:
          - redaction: { keys: [password], patterns: ["token=\\\\S+"] }
          - sampling: { rate: 0.5 }
          - filter: { level: trace, except_containing: ["health check"] }
        plugins:
          file: { path: \(directory)/app.log }
          audit: { type: file, path: \(directory)/audit.log, format: json }
          console: { level: critical }
          memory:
          journald: { socket: \(directory)/none }
        """
    guard let stream = fopen(file, "w") else { exit(1) }
    fputs(text, stream)
    fclose(stream)
    do {
        try Pipeline.open(
            configuration: file,
            plugins: [
                ConsolePlugin.self, FilterPlugin.self, JournaldPlugin.self, MemoryPlugin.self, RedactionPlugin.self,
                SamplingPlugin.self,
            ])
    } catch {
        _ = "\(error)\n".withCString { write(2, $0, strlen($0)) }
        exit(1)
    }
    // The first record opens everything. Other call sites have limits, and a backtrace has been active.
    Logger.shared.info("started")
    for _ in 0..<10 {
        Logger.shared.once()?.info("once")
        Logger.shared.every(3)?.info("often")
        Logger("net.http").atMost(2, per: .seconds(1))?.warning("seldom")
    }
    Logger.shared.withBacktrace {
        Logger.shared.debug("kept")
        Logger.shared.error("released")
    }
    Logger.shared.flush()
}
