/// A command to a running program, or to one of its plugin instances.
public struct ControlCommand: Sendable, Hashable {
    /// What to do, such as `pause`; empty where the sender has left it out.
    public var name: String
    /// What else was sent, in its order.
    public var arguments: [LogValueEntry]

    /// Makes a command.
    public init(_ name: String, _ arguments: [LogValueEntry] = []) {
        self.name = name
        self.arguments = arguments
    }

    /// The argument of a name.
    public subscript(name: String) -> LogValue? { arguments.first { $0.key == name }?.value }

    /// An argument that must be a number; `nil` where it is missing.
    ///
    /// - Throws: ``OptionError`` for anything else.
    public func number(_ name: String) throws(OptionError) -> Double? {
        switch self[name] {
        case nil: return nil
        case .int(let number)?: return Double(number)
        case .double(let number)? where number.isFinite: return number
        default: throw OptionError(name, "must be a number")
        }
    }

    /// An argument that must be a string; `nil` where it is missing.
    ///
    /// - Throws: ``OptionError`` for anything else.
    public func text(_ name: String) throws(OptionError) -> String? {
        switch self[name] {
        case nil: return nil
        case .string(let text)?: return text
        default: throw OptionError(name, "must be a string")
        }
    }

    /// An argument that must be true or false; `nil` where it is missing.
    ///
    /// - Throws: ``OptionError`` for anything else.
    public func flag(_ name: String) throws(OptionError) -> Bool? {
        switch self[name] {
        case nil: return nil
        case .bool(let isTrue)?: return isTrue
        default: throw OptionError(name, "must be true or false")
        }
    }

    /// Refuses arguments of other names.
    ///
    /// - Throws: ``OptionError`` that names the first.
    public func expect(_ names: String...) throws(OptionError) {
        guard let other = arguments.first(where: { !names.contains($0.key) }) else { return }
        throw OptionError(name.isEmpty ? "command" : name, "\"\(other.key)\" is not known")
    }

    /// The error for a command that is none of those known.
    public func unknown(among names: String...) -> OptionError {
        guard !name.isEmpty else { return OptionError("command", "is missing") }
        return OptionError("command", "must be one of \(names.joined(separator: ", ")), is not \"\(name)\"")
    }
}

extension ControlCommand {
    /// What is answered to a ``ControlCommand``.
    public struct Answer: Sendable, Hashable {
        /// Why the command was not carried out; `nil` where it was.
        public var problem: String?
        /// What else there is to know, in this order.
        public var fields: [LogValueEntry]

        /// Makes an answer.
        public init(_ fields: [LogValueEntry] = [], problem: String? = nil) {
            self.fields = fields
            self.problem = problem
        }

        /// The field of a name.
        public subscript(name: String) -> LogValue? { fields.first { $0.key == name }?.value }
    }
}
