#if Command
internal import ArgumentParser

/// `taffrail recordings list|info|cut|merge|simplify|export|import|delete|verify|repair`.
struct RecordingsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recordings",
        abstract: "List, edit, share, check and repair recordings.",
        discussion: """
            Examples:
              taffrail recordings list --directory drives --format json
              taffrail recordings cut geo_log_2026-01-05_14-30-00.json harbour.json --from 14:35 --to 14:50
              taffrail recordings export geo_log_2026-01-05_14-30-00.json /media/stick/drive.gpx
              taffrail recordings verify
            """,
        subcommands: [
            RecordingsList.self, RecordingsInfo.self, RecordingsCut.self, RecordingsMerge.self,
            RecordingsSimplify.self, RecordingsExport.self, RecordingsImport.self,
            RecordingsDelete.self, RecordingsVerify.self, RecordingsRepair.self,
        ],
        defaultSubcommand: RecordingsList.self)
}
#endif
