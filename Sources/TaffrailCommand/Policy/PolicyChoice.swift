#if Command && Configuration
internal import ArgumentParser
internal import Taffrail
internal import TaffrailConfiguration
internal import TaffrailGeo

/// A policy named on the command line: a configuration, or a built-in one.
struct PolicyChoice {
    /// The names of the built-in policies, with their settings.
    static let builtIn = "default, fixed-interval:60s, fixed-distance:100, elastic:10, colota, owntracks"

    private enum Kind {
        case ping(PingPolicyOptions)
        case interval(Duration)
        case distance(Double)
        case elastic(Double)
        case colota
        case ownTracks
    }

    let name: String
    private let kind: Kind

    /// Finds a built-in policy, else reads a file.
    init(_ text: String) throws {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let value = parts.count > 1 ? parts[1] : nil
        func metres(or standard: Double) throws -> Double {
            guard let value else { return standard }
            guard let metres = Double(value), (1...1_000_000).contains(metres) else {
                throw ValidationError("\(parts[0]) needs a distance from 1 to 1000000 metres, not \"\(value)\"")
            }
            return metres
        }
        switch parts[0] {
        case "default" where value == nil: kind = .ping(PingPolicyOptions())
        case "fixed-interval":
            guard let interval = DurationText.duration(value ?? "60s"), (.seconds(1) ... .days(1)).contains(interval)
            else { throw ValidationError("fixed-interval needs a duration from 1s to 1d, not \"\(value ?? "")\"") }
            kind = .interval(interval)
        case "fixed-distance": kind = .distance(try metres(or: 100))
        case "elastic": kind = .elastic(try metres(or: 10))
        case "colota" where value == nil: kind = .colota
        case "owntracks" where value == nil: kind = .ownTracks
        default:
            do throws(ConfigurationError) {
                let registry = try ConfigurationFlag.registry()
                kind = .ping(
                    try OptionsFile.read(PingPolicyOptions.self, file: text, plugin: "pinger", registry: registry))
            } catch {
                for problem in error.problems { StandardStream.report("\(problem)", isPrefixed: false) }
                if !text.contains("/") && !text.contains(".") {
                    StandardStream.report("built-in policies: \(Self.builtIn)")
                }
                throw ExitCode.badConfiguration
            }
            name = FileName.base(of: text)
            return
        }
        name = text
    }

    private init(name: String, kind: Kind) {
        self.name = name
        self.kind = kind
    }

    /// Returns the same policy with one setting changed.
    ///
    /// - Throws: When it has no settings, or not this one.
    func with(_ setting: String, _ value: String) throws -> PolicyChoice {
        guard case .ping(var options) = kind else {
            throw ValidationError("--sweep changes a setting of Taffrail's policy; \(name) has none")
        }
        do throws(OptionError) {
            try options.settings.set(setting, to: value)
        } catch {
            throw ValidationError("--sweep: \(error.option) \(error.reason)")
        }
        return PolicyChoice(name: value, kind: .ping(options))
    }

    /// Adds its run over the fixes of a recording to a result.
    ///
    /// - Parameter home: Replaces the home of a configuration.
    func run(_ trial: PolicyTrial, home: Coordinate?, into result: inout PolicyResult) {
        switch kind {
        case .ping(let options):
            let policy = PingPolicy(options.settings, home: home ?? options.home)
            trial.run(SimulatedPingPolicy(policy: policy), into: &result)
        case .interval(let duration): trial.run(FixedInterval(interval: duration), into: &result)
        case .distance(let metres): trial.run(FixedDistance(metres: metres), into: &result)
        case .elastic(let metres): trial.run(ElasticDistance(metres: metres), into: &result)
        case .colota: trial.run(SpeedProfile(), into: &result)
        case .ownTracks: trial.run(MoveMode(), into: &result)
        }
    }
}
#endif
