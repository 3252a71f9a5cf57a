#if Configuration
internal import CYaml

/// Finds constructs that a configuration may not contain, in the parser's events, before composing a tree.
///
/// A tree with keys that are lists or mappings of aliases grows exponentially with the length of the document when it
/// is hashed, which composing a mapping does.
enum YAMLRestrictions {
    /// Returns the first alias, or key that is not a scalar. `nil` if there is none, or the document is not YAML.
    static func problem(in text: String, file: String) -> ConfigurationProblem? {
        var text = text
        return text.withUTF8 { utf8 in
            var parser = yaml_parser_t()
            guard yaml_parser_initialize(&parser) == 1 else { return nil }
            defer { yaml_parser_delete(&parser) }
            yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING)
            yaml_parser_set_input_string(&parser, utf8.baseAddress, utf8.count)
            return problem(in: &parser, file: file)
        }
    }

    private static func problem(in parser: inout yaml_parser_t, file: String) -> ConfigurationProblem? {
        // For each open list or mapping: whether a mapping's key is next; `nil` in a list.
        var expectsKey: [Bool?] = []
        while true {
            var event = yaml_event_t()
            guard yaml_parser_parse(&parser, &event) == 1 else { return nil }
            defer { yaml_event_delete(&event) }
            let isKey = (expectsKey.last ?? nil) ?? false
            switch event.type {
            case YAML_STREAM_END_EVENT:
                return nil
            case YAML_ALIAS_EVENT:
                let name = event.data.alias.anchor.map { String(cString: $0) } ?? ""
                return ConfigurationProblem(event, file, "an alias (*\(name)) is not supported")
            case YAML_SEQUENCE_START_EVENT, YAML_MAPPING_START_EVENT:
                let isMapping = event.type == YAML_MAPPING_START_EVENT
                if isKey {
                    let kind = isMapping ? "a mapping" : "a list"
                    return ConfigurationProblem(event, file, "a key must be a scalar, not \(kind)")
                }
                toggle(&expectsKey)
                expectsKey.append(isMapping ? true : nil)
            case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT:
                _ = expectsKey.popLast()
            case YAML_SCALAR_EVENT:
                toggle(&expectsKey)
            default:
                continue
            }
        }
    }

    /// A key is followed by its value, a value by the next key.
    private static func toggle(_ expectsKey: inout [Bool?]) {
        if let last = expectsKey.last, let isKey = last { expectsKey[expectsKey.count - 1] = !isKey }
    }
}

extension ConfigurationProblem {
    fileprivate init(_ event: yaml_event_t, _ file: String, _ message: String) {
        self.init(
            file: file, line: Int(truncatingIfNeeded: event.start_mark.line) &+ 1,
            column: Int(truncatingIfNeeded: event.start_mark.column) &+ 1, message: message)
    }
}
#endif
