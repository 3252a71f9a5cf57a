#if Command && Store
internal import ArgumentParser

/// `taffrail logs query|histogram|values|devices|purge|clear|backup|maintain`.
struct LogsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logs",
        abstract: "Find, count and delete the records of a log store.",
        discussion: """
            The store is the one in the configuration, or the one given by --store. It may be in use: changes are then \
            made by the program that has it open.

            All conditions of a query must hold; ! or - before one inverts it:
              level>=warning  logger:net  logger=net.http  device:ferry,tender*  event:geo.*
              "disk full"  "time"*  message~"k fu"  status>=500  path=/a,/b  user:*  @level=3
              since:-1h  until:2026-01-05T14:30:00Z  near:55.68,12.57,500m  box:55.5,12.4,55.8,12.7
              trace:4bf92f3577b34da6a3ce929d0e0e4736  span:00f067aa0ba902b7  run:RUN

            Examples:
              taffrail logs query --store logs.sqlite 'level>=warning "timeout"'
              taffrail logs histogram --by logger 'since:yesterday'
              taffrail logs values status 'logger:net'
            """,
        subcommands: [
            LogsQuery.self, LogsHistogram.self, LogsValues.self, LogsDevices.self, LogsPurge.self, LogsClear.self,
            LogsBackup.self, LogsMaintain.self,
        ],
        defaultSubcommand: LogsQuery.self)
}
#endif
