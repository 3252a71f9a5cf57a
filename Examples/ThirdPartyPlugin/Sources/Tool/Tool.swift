import CSVLog
import Taffrail
import TaffrailCommand
import TaffrailConsole

/// The command `taffrail` with the sink `csv`: `run`, `check`, `plugins`, `log`, `recover` and all others support it.
@main
struct Tool {
    static func main() {
        TaffrailTool.main(plugins: [FilePlugin.self, ConsolePlugin.self, CSVPlugin.self])
    }
}
