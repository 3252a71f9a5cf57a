internal import TaffrailCommand

/// The executable `taffrail`: the command with the plugins of this package.
@main
struct Main {
    static func main() { TaffrailTool.main(plugins: BuiltInPlugins.all) }
}
