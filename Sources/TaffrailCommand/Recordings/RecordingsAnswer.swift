#if Command
internal import ArgumentParser
internal import Taffrail
internal import TaffrailRecording
internal import TaffrailText

/// Output of the commands about recordings.
enum RecordingsAnswer {
    /// Runs a body for each item, reports failures and continues.
    ///
    /// - Returns: The exit status of the first failure.
    static func each(_ names: [String], _ body: (String) throws(RecordingError) -> Void) -> ExitCode? {
        var code: ExitCode?
        for name in names {
            do throws(RecordingError) { try body(name) } catch {
                let failure = ExitCode(error).reporting(error)
                code = code ?? failure
            }
        }
        return code
    }

    /// Does the same for recordings given by name or path.
    static func each(
        _ given: [String], of flags: RecordingsFlags,
        _ body: (RecordingManager, String) throws(RecordingError) -> Void
    ) -> ExitCode? {
        var code: ExitCode?
        for one in given {
            let (manager, name) = flags.recording(one)
            let failure = each([name]) { name throws(RecordingError) in try body(manager, name) }
            code = code ?? failure
        }
        return code
    }

    /// Prints answers that are already in a format.
    static func show(_ answers: [String], _ format: RecordingsFlags.Format) {
        switch format {
        case .json: print("[\(answers.joined(separator: ",\n"))]")
        case .text: for answer in answers { print(answer) }
        }
    }

    /// Prints a list.
    static func show(_ recordings: [RecordingInfo], _ format: RecordingsFlags.Format) {
        show(recordings.map(format == .json ? json : line), format)
    }

    private static func line(_ info: RecordingInfo) -> String {
        let size = SizeText.string(Int64(info.size))
        let state = info.isMetadataMissing ? "damaged, \(size)" : "\(CountText.text(info.eventCount, "event")), \(size)"
        return "\(TerminalText.safe(info.name))  \(RFC3339.string(info.start))  \(duration(of: info))  \(state)"
    }

    private static func duration(of info: RecordingInfo) -> String {
        ClockText.string(Duration(clampingSeconds: info.duration))
    }

    /// Returns one recording on several lines.
    static func details(_ info: RecordingInfo) -> String {
        let name = TerminalText.safe(info.name)
        var lines = [
            name, "  began     \(RFC3339.string(info.start))",
            "  lasted    \(duration(of: info))",
            "  events    \(info.eventCount)", "  size      \(SizeText.string(Int64(info.size)))",
        ]
        if !info.device.isEmpty { lines.append("  device    \(TerminalText.safe(info.device))") }
        if !info.systemVersion.isEmpty { lines.append("  system    \(TerminalText.safe(info.systemVersion))") }
        if info.isMetadataMissing { lines.append("  damaged   taffrail recordings repair \(name)") }
        return lines.joined(separator: "\n")
    }

    private static func json(_ info: RecordingInfo) -> String {
        var object = JSONObject()
        object.add("name", info.name)
        object.add("date", RFC3339.string(info.start))
        object.add("duration", info.duration)
        object.add("eventCount", whole: info.eventCount)
        object.add("size", whole: info.size)
        object.add("device", info.device)
        object.add("systemVersion", info.systemVersion)
        object.add("isDamaged", info.isMetadataMissing)
        return object.string
    }
}
#endif
