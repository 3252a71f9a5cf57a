#if Command
internal import ArgumentParser
internal import Taffrail
internal import TaffrailText

/// `taffrail rotate FILE…`.
struct RotateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Rotate log files now.",
        discussion: """
            Programs that have a file open continue in a new one with their next record; nothing is lost. An empty file is \
            not rotated. Deletion and compression are left to the programs.

            Example:
              taffrail rotate /var/log/ferry/app.log
            """)

    @Argument(help: ArgumentHelp("The live log files.", valueName: "file"), completion: .file())
    var files: [String]

    func run() throws {
        var worst: ExitCode?
        for path in files {
            let code = FileAccess.existence.error(at: path)
            guard code == 0 else {
                let error = SystemError(path, code: code)
                worst = worst ?? ExitCode(reading: error)
                StandardStream.report("\(error)")
                continue
            }
            let rotate = RotationOptions(size: nil, every: nil, keep: nil)
            do throws(OptionError) {
                try rotateNow(FileSink(FileOptions(path: path, rotate: rotate)), &worst)
            } catch {
                StandardStream.report("\(error)")
                worst = worst ?? .dataError
            }
        }
        if let worst { throw worst }
    }

    private func rotateNow(_ sink: FileSink, _ worst: inout ExitCode?) {
        do throws(SinkError) {
            try sink.rotate()
        } catch {
            StandardStream.report(error.reason)
            worst = .inputOutput
        }
    }
}
#endif
