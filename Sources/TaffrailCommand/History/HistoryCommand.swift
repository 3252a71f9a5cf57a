#if Command && Store
internal import ArgumentParser

/// `taffrail history list|stats|trips|visits|days|export|push|import|purge|thin|clear|backup|maintain`.
struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Show, share, import and delete the positions of a location store.",
        discussion: """
            The store is the one in the configuration, or the one given by --store. It may be in use: changes are then \
            made by the program that has it open.

            Examples:
              taffrail history list --since yesterday --limit 20
              taffrail history trips --since 2026-01-05 --explain
              taffrail history export --since 2026-01-05 --until 2026-01-06 day.gpx
              taffrail history purge --older-than 30d --yes
            """,
        subcommands: [
            HistoryList.self, HistoryStats.self, HistoryTrips.self, HistoryVisits.self, HistoryDays.self,
            HistoryExport.self, HistoryPush.self, HistoryImport.self, HistoryPurge.self, HistoryThin.self,
            HistoryClear.self, HistoryBackup.self, HistoryMaintain.self,
        ],
        defaultSubcommand: HistoryList.self)
}
#endif
