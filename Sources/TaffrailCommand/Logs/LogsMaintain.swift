#if Command && Store
internal import ArgumentParser
internal import Taffrail
internal import TaffrailStore

/// `taffrail logs maintain`.
struct LogsMaintain: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "maintain",
        abstract: "Apply retention by age, size and streams, and shrink the database; meant to be run from a timer.",
        discussion: "Limits that are not given come from the configuration, unless --store is given.")
    @OptionGroup var store: LogsStore

    @Option(help: ArgumentHelp("Delete records that arrived longer ago than this, such as 30d.", valueName: "age"))
    var age: String?

    @Option(help: ArgumentHelp("The maximum size of the database, such as 500MiB.", valueName: "size"))
    var size: String?

    func run() throws {
        let location = try store.location()
        var retention = location.retention() ?? LogRetention()
        retention.age = try DeletionTime.age(age, "--age") ?? retention.age
        retention.size = try DeletionTime.size(size, "--size") ?? retention.size
        let command = ControlCommand("maintain", retention.arguments)
        // A timer may fire before the first record.
        let answer = try location.execute(command, mayBeMissing: true) { [retention] in
            let deleted = try LogStore.at(location.path).maintain(retention)
            return ControlCommand.Answer([LogValueEntry("purged", .int(Int64(deleted)))])
        }
        print(StoreFlags.deleted(answer["purged"], "record"))
    }
}
#endif
