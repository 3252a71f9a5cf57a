#if Command && Configuration
internal import ArgumentParser
internal import Taffrail
internal import TaffrailGeo
internal import TaffrailTracks

/// `taffrail policy simulate RECORDING…`.
struct PolicyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "policy",
        abstract: "Evaluate ping policies on recorded tracks.",
        subcommands: [Simulate.self])

    /// `taffrail policy simulate RECORDING…`.
    struct Simulate: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "simulate",
            abstract: "Compare the pings, energy and accuracy of policies on recorded tracks.",
            discussion: """
                A policy is a file with options of the plugin pinger, a configuration with that plugin, or a built-in \
                one: \(PolicyChoice.builtIn). Without --config it is the policy default.

                The error is the distance of the device from the line between the pings before and after, weighted by \
                time. Energy is gps_mw times the time the source is open, plus ping_mj for each ping. In a sweep, * \
                marks values that no other value beats in both energy and error.

                Examples:
                  taffrail policy simulate day.json --config pinger.yaml --config elastic:20
                  taffrail policy simulate days/*.json --sweep moving.interval=5s,10s,15s,30s,60s --output curve.svg
                """)

        @Argument(help: ArgumentHelp("Recordings or other tracks.", valueName: "recording"), completion: .file())
        var recordings: [String]

        @Option(help: ArgumentHelp("A policy. May be repeated.", valueName: "policy"), completion: .file())
        var config: [String] = []

        @Option(
            help: ArgumentHelp(
                "Values of one setting of the first policy, such as moving.interval=5s,15s,60s.", valueName: "setting"))
        var sweep: String?

        @Option(help: ArgumentHelp("The home, overriding that of the configuration.", valueName: "lat,lon"))
        var home: String?

        @Option(help: ArgumentHelp("The power of the open source, in milliwatts.", valueName: "number"))
        var gpsMw: Double = PolicyConstants().gpsPower

        @Option(help: ArgumentHelp("The energy of a ping, in millijoules.", valueName: "number"))
        var pingMj: Double = PolicyConstants().pingEnergy

        @Option(help: ArgumentHelp("The time that an opened source needs for a fix, in seconds.", valueName: "number"))
        var fixSeconds: Double = PolicyConstants().fixTime / .seconds(1)

        @Option(help: ArgumentHelp("The accuracy of fixes without one, in metres.", valueName: "number"))
        var accuracy: Double = PolicyConstants().accuracy

        @Option(help: "The format, if the file name does not determine it.")
        var format: TrackFormat?

        @Option(help: ArgumentHelp("Use only the positions of this receiver (default: all).", valueName: "device"))
        var device: String?

        @Option(
            name: .shortAndLong,
            help: ArgumentHelp(
                "A chart of energy and error: a file that ends in .svg, .png or .pdf.", valueName: "path"),
            completion: .file())
        var output: String?

        @Flag(name: .shortAndLong, help: "Replace the output if it exists.")
        var force = false

        @Flag(help: "Print one JSON object per line, in SI units.")
        var json = false

        func validate() throws {
            for (name, value) in [
                ("--gps-mw", gpsMw), ("--ping-mj", pingMj), ("--fix-seconds", fixSeconds), ("--accuracy", accuracy),
            ] where !(0...1e9).contains(value) {
                throw ValidationError("\(name) must be from 0 to 1000000000, not \(value)")
            }
        }

        func run() throws {
            let picture = try output.map { try PlotOutput.Format(path: $0) }
            let constants = PolicyConstants(
                gpsPower: gpsMw, pingEnergy: pingMj, fixTime: .seconds(fixSeconds), accuracy: accuracy)
            let choices = try (config.isEmpty ? ["default"] : config).map { try PolicyChoice($0) }
            let swept = try sweep.map { try Sweep($0, of: choices[0]) }
            let place = try home.map { try PlaceArgument.coordinate($0) }
            var entries = choices.map { PolicyEntry(name: $0.name, result: PolicyResult()) }
            var variants = (swept?.choices ?? []).map { PolicyEntry(name: $0.name, result: PolicyResult()) }
            var count = 0
            for path in recordings {
                let fixes = try Self.fixes(path, try TrackFile.source(path, format, flag: "--format"), device)
                count += fixes.count
                let trial = PolicyTrial(fixes, constants)
                for (index, choice) in choices.enumerated() {
                    choice.run(trial, home: place, into: &entries[index].result)
                }
                for (index, choice) in (swept?.choices ?? []).enumerated() {
                    choice.run(trial, home: place, into: &variants[index].result)
                }
            }
            guard count > 0 else {
                throw ExitCode.dataError.reporting("the recordings contain no position with a time")
            }
            PolicyTable.markBest(&variants)
            show(entries, variants, swept, "\(CountText.text(count, "position")); \(constants.text)")
            guard let output, let picture else { return }
            let title = swept.map { "\($0.setting) of \(choices[0].name)" } ?? "Policies"
            let svg = PolicyChart.svg(title: title, subtitle: constants.text, sweep: variants, others: entries)
            try PlotOutput.write(svg, as: picture, to: output, overwrites: force)
        }

        private func show(_ entries: [PolicyEntry], _ variants: [PolicyEntry], _ swept: Sweep?, _ note: String) {
            if json {
                for entry in entries { print(PolicyTable.json(entry)) }
                for var entry in variants {
                    entry.name = "\(swept?.setting ?? "")=\(entry.name)"
                    print(PolicyTable.json(entry))
                }
                return
            }
            print(note)
            print(PolicyTable.text(entries), terminator: "")
            if let swept {
                print("")
                print(PolicyTable.text(variants, heading: swept.setting, marksBest: true), terminator: "")
            }
        }

        /// Returns the positions with times of a track.
        private static func fixes(_ path: String, _ format: TrackFormat, _ device: String?) throws -> [Location] {
            var fixes: [Location] = []
            try TrackFile.read(path, format, device: device) { event in
                if let location = event.location, location.extra.hasNoTime != true { fixes.append(location) }
            }
            return fixes
        }
    }

    /// A setting with its values: `moving.interval=5s,15s`.
    struct Sweep {
        let setting: String
        let choices: [PolicyChoice]

        init(_ text: String, of choice: PolicyChoice) throws {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            let values = parts.count == 2 ? parts[1].split(separator: ",").map(String.init) : []
            guard !values.isEmpty else {
                throw ValidationError("--sweep must be SETTING=VALUE,VALUE,…, not \"\(text)\"")
            }
            setting = parts[0]
            choices = try values.map { try choice.with(parts[0], $0) }
        }
    }
}
#endif
