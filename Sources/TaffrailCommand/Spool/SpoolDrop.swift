#if Command && Configuration
internal import ArgumentParser
internal import Taffrail
internal import TaffrailDelivery

/// `taffrail spool drop`.
struct SpoolDrop: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drop",
        abstract:
            """
            Delete queued records and enter the loss in the ledger, or delete dead letters. Fails while a program is \
            sending.
            """)
    @OptionGroup var choice: SpoolChoice

    @Flag(help: "Delete the dead letters only.")
    var dead = false

    @Flag(name: .shortAndLong, help: "Confirm the deletion.")
    var yes = false

    func validate() throws { if !yes { throw ValidationError("this deletes records; confirm with --yes") } }

    func run() throws {
        for choice in try choice.spools() where Directory.exists(choice.options.directory) {
            let (name, options) = (choice.name, choice.options)
            if dead {
                do throws(SystemError) {
                    let count = try DeadLetters.drop(in: options.directory)
                    print("\(name): \(CountText.text(count, "dead letter")) deleted")
                } catch { throw ExitCode.inputOutput.reporting(error) }
                continue
            }
            let spool = Spool(options)
            // No entry is written to a directory that does not exist.
            try? Directory.create(choice.ledger)
            spool.setBook(SinkBook(sink: name, ledgers: [LedgerFile(directory: choice.ledger)]))
            do throws(SinkError) {
                let count = try spool.dropAll()
                spool.close()
                print("\(name): \(CountText.text(count, "record")) deleted")
            } catch {
                throw ExitCode.temporaryFailure.reporting("\(name): \(error.reason)")
            }
        }
    }
}
#endif
