#if Command
internal import ArgumentParser
internal import Taffrail
internal import TaffrailRecording
internal import TaffrailText

/// `taffrail recordings repair [NAME…]`.
struct RecordingsRepair: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair", abstract: "Repair damaged recordings.",
        discussion: """
            Every readable event is kept, in chronological order; the recordings may be compressed. If a byte was \
            lost or an event moved, the damaged file is kept as well.
            """)
    @Argument(
        help: ArgumentHelp(
            "The recordings, by name or path (default: all; intact ones are skipped).",
            valueName: "name"), completion: RecordingNames.completion)
    var names: [String] = []
    @OptionGroup var flags: RecordingsFlags

    func run() throws {
        let all = names.isEmpty
        let names = all ? try flags.manager().listRecordings().map(\.name) : names
        var answers: [String] = []
        let code = RecordingsAnswer.each(names, of: flags) { manager, name throws(RecordingError) in
            let repair: RecordingRepair
            do throws(RecordingError) {
                repair = try manager.repairRecording(name: name)
            } catch {
                guard all && error.kind == .busy else { throw error }
                return StandardStream.report("\(name) is being written; skipped")
            }
            if repair.wasIntact && all { return }
            answers.append(flags.format == .json ? Self.json(name, repair) : Self.text(name, repair))
        }
        RecordingsAnswer.show(answers, flags.format)
        if let code { throw code }
    }

    private static func text(_ name: String, _ repair: RecordingRepair) -> String {
        let events = CountText.text(repair.events, "event")
        guard !repair.wasIntact else { return "\(name): intact, \(events)" }
        let order = repair.wasOutOfOrder ? ", put in order" : ""
        let kept = repair.keptAs.map { ", the damaged file is kept as \($0)" } ?? ""
        return "\(name): repaired, \(events), \(CountText.text(repair.bytesLost, "byte")) lost\(order)\(kept)"
    }

    private static func json(_ name: String, _ repair: RecordingRepair) -> String {
        var object = JSONObject()
        object.add("name", name)
        object.add("wasWhole", repair.wasIntact)
        object.add("events", whole: repair.events)
        object.add("bytesLost", whole: repair.bytesLost)
        object.add("wasOutOfOrder", repair.wasOutOfOrder)
        object.add("keptAs", known: repair.keptAs)
        return object.string
    }
}
#endif
