#if Command && Configuration
internal import ArgumentParser

/// `taffrail spool list|show|retry|export|drop`.
struct SpoolCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "spool",
        abstract: "Show, export, retry and drop records that have not been sent.",
        discussion: """
            The spools are those of the configuration's sinks that send records (http, pinger), or the one that --directory names. \
            All but drop can be used while a program sends from them.

            Examples:
              taffrail spool list --config /etc/ferry/taffrail.yaml
              taffrail spool show --dead
              taffrail spool retry
            """,
        subcommands: [
            SpoolList.self, SpoolShow.self, SpoolRetry.self, SpoolExport.self, SpoolDrop.self,
        ],
        defaultSubcommand: SpoolList.self)
}
#endif
