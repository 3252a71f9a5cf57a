#if Configuration
internal import Taffrail
internal import Yams

/// Decodes the options at one path of the document, and locates problems.
struct OptionsReader {
    let file: String
    /// The path in the document, such as `plugins.gpsd`.
    let path: String
    /// The location of its key.
    let mark: Mark?
    let node: Node
    /// Keys that are read elsewhere, such as `enabled` and `type`.
    var otherKeys: [String] = []
    /// The sections that options may refer to.
    var sections = PluginRegistry.Sections([:])

    /// Decodes a value with `body`. All problems are added to `problems`.
    func read<Value>(
        into problems: inout [ConfigurationProblem], _ body: (any Decoder) throws -> Value
    ) -> Value? {
        let log = KeyLog(sections)
        var value: Value?
        var found: [ConfigurationProblem] = []
        do {
            value = try body(NodeDecoder(node, log: log))
        } catch let error as DecodingError {
            found.append(problem(error))
        } catch let error as OptionError {
            found.append(problem(at: error.option.split(separator: ".").map { OptionKey(String($0)) }, error.reason))
        } catch {
            found.append(problem(at: [], "\(error)"))
        }
        found += unknownKeys(in: log, readToTheEnd: value != nil)
        problems += found
        return found.isEmpty ? value : nil
    }

    /// Reads the sections of a document that options of plugins refer to.
    static func sections(
        of root: Node.Mapping, file: String, _ registry: PluginRegistry, into problems: inout [ConfigurationProblem]
    ) -> [String: any PluginOptions] {
        var sections: [String: any PluginOptions] = [:]
        for (key, value) in root {
            guard let entry = registry[key.name], entry.kind == .section else { continue }
            let reader = OptionsReader(
                file: file, path: key.name, mark: key.mark, node: value, sections: PluginRegistry.Sections(sections))
            sections[key.name] = reader.read(into: &problems) {
                try entry.plan(PluginInstance(named: key.name), $0).options
            }
        }
        return sections
    }

    /// Keys that were not requested. After an early failure, only mappings whose keys are all known are checked.
    private func unknownKeys(in log: KeyLog, readToTheEnd: Bool) -> [ConfigurationProblem] {
        var problems: [ConfigurationProblem] = []
        for (path, visit) in log.visits where readToTheEnd || visit.isComplete {
            let known = visit.known.union(path.isEmpty ? otherKeys : [])
            let whole = self.whole(path)
            for (key, _) in visit.mapping where !known.contains(key.name) {
                let hint = Suggestion.text(for: key.name, among: Array(known), naming: "keys")
                problems.append(
                    ConfigurationProblem(
                        file: file, line: key.mark?.line ?? 0, column: key.mark?.column ?? 0,
                        message: "unknown key \"\(key.name)\" in \(whole)\(hint)"))
            }
        }
        return problems
    }

    /// Returns a path below this one, such as `plugins.file.rotate` or `places[0]`.
    private func whole(_ path: String) -> String {
        path.isEmpty ? self.path : path.hasPrefix("[") ? self.path + path : "\(self.path).\(path)"
    }

    private func problem(_ error: DecodingError) -> ConfigurationProblem {
        switch error {
        case .keyNotFound(let key, let context):
            return problem(
                at: context.codingPath, "needs the key \"\(key.stringValue)\"", isAboutKey: true)
        case .dataCorrupted(let context), .typeMismatch(_, let context), .valueNotFound(_, let context):
            return problem(at: context.codingPath, context.debugDescription)
        @unknown default:
            return problem(at: [], "\(error)")
        }
    }

    /// Returns a problem at the nearest existing node of a path.
    private func problem(
        at codingPath: [any CodingKey], _ message: String, isAboutKey: Bool = false
    ) -> ConfigurationProblem {
        var keyMark = mark
        var nearest = node
        for key in codingPath {
            if let index = key.intValue, case .sequence(let sequence) = nearest, sequence.indices.contains(index) {
                nearest = sequence[index]
                keyMark = nearest.mark
            } else if case .mapping(let mapping) = nearest,
                let pair = mapping.first(where: { $0.key.name == key.stringValue })
            {
                nearest = pair.value
                keyMark = pair.key.mark
            }
        }
        // A block mapping starts at its first key, which is not the intended location; an empty value has no location.
        let isWhole = isAboutKey || codingPath.isEmpty && nearest.mapping != nil || nearest.isNothing
        let spot = isWhole ? keyMark : nearest.mark ?? keyMark
        let whole = self.whole(codingPath.dotted)
        return ConfigurationProblem(
            file: file, line: spot?.line ?? 0, column: spot?.column ?? 0, message: "\(whole): \(message)")
    }
}

/// A component of an ``OptionError``'s path.
private struct OptionKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension Node {
    /// The text of a key, or a description of a key that is not a scalar.
    var name: String {
        if case .scalar(let scalar) = self { return scalar.string }
        return phrase
    }
}
#endif
