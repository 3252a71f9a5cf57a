#if Command
internal import ArgumentParser
internal import Taffrail
internal import TaffrailGeo
internal import TaffrailText

/// Parses the words of `taffrail ctl` into commands, and formats answers.
enum CtlWords {
    /// Parses a command.
    ///
    /// - Throws: `ValidationError` for an invalid command; the commands of a plugin are checked by the plugin.
    static func command(
        _ words: [String], speed: Double? = nil, loops: Bool = false
    ) throws -> (ControlCommand, plugin: String?) {
        guard let first = words.first else { throw ValidationError("missing command") }
        let rest = Array(words.dropFirst())
        switch first {
        case "status":
            guard rest.isEmpty else { throw ValidationError("status takes no arguments") }
            return (ControlCommand("status"), nil)
        case "level":
            guard (1...2).contains(rest.count) else { throw ValidationError("expected level LEVEL [LOGGER]") }
            var arguments: [LogValueEntry] = []
            if rest[0] != "default" { arguments.append(LogValueEntry("level", .string(rest[0]))) }
            if rest.count == 2 { arguments.append(LogValueEntry("logger", .string(rest[1]))) }
            return (ControlCommand("level", arguments), nil)
        default:
            guard let name = rest.first else { throw ValidationError("missing command for \(first)") }
            var arguments = try arguments(of: name, Array(rest.dropFirst()))
            if let speed { arguments.append(LogValueEntry("speed", .double(speed))) }
            if loops { arguments.append(LogValueEntry("loop", true)) }
            return (ControlCommand(name, arguments), first)
        }
    }

    private static func arguments(of name: String, _ words: [String]) throws -> [LogValueEntry] {
        switch name {
        case "set":
            guard words.count == 1 else {
                throw ValidationError("expected set LATITUDE,LONGITUDE, such as set 55.6761,12.5683")
            }
            return try place(words[0])
        case "start":
            return [LogValueEntry("points", .array(try words.map { .map(try place($0)) }))]
        case "rate", "step":
            guard words.count <= 1 else { throw ValidationError("\(name) takes one number") }
            return try words.map { LogValueEntry(name == "rate" ? "rate" : "count", .double(try number($0))) }
        case "seek":
            guard words.count == 1 else { throw ValidationError("expected seek TIME, seek +SECONDS or seek -SECONDS") }
            if let sign = words[0].first, sign == "+" || sign == "-" {
                return [LogValueEntry("by", .double(try number(words[0])))]
            }
            return [LogValueEntry("to", Double(words[0]).map { .double($0) } ?? .string(words[0]))]
        default:
            // NAME=VALUE, for commands unknown here.
            return try words.map { word in
                guard let equals = word.firstIndex(of: "="), equals != word.startIndex else {
                    throw ValidationError("\"\(word)\" is not an argument; expected NAME=VALUE")
                }
                let value = String(word[word.index(after: equals)...])
                let plain: LogValue? = ["true": true, "false": false][value]
                return LogValueEntry(
                    String(word[..<equals]), plain ?? Double(value).map { .double($0) } ?? .string(value))
            }
        }
    }

    private static func place(_ word: String) throws -> [LogValueEntry] {
        let place = try PlaceArgument.coordinate(word)
        return [
            LogValueEntry("latitude", .double(place.latitude)), LogValueEntry("longitude", .double(place.longitude)),
        ]
    }

    private static func number(_ word: String) throws -> Double {
        guard let number = Double(word), number.isFinite else {
            throw ValidationError("\"\(word)\" is not a number")
        }
        return number
    }

    /// Returns a value as a string.
    static func text(_ value: LogValue) -> String {
        switch value {
        case .string(let text): text
        case .double(let number): DecimalText.short(number)
        case .array(let elements): elements.isEmpty ? "none" : elements.map(text).joined(separator: ", ")
        case .map(let entries):
            entries.isEmpty ? "none" : entries.map { "\($0.key)=\(text($0.value))" }.joined(separator: ", ")
        default: "\(value)"
        }
    }
}
#endif
