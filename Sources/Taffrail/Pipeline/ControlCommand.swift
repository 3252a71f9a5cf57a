/// A command to a running program, or to one of its plugin instances.
public struct ControlCommand: Sendable, Hashable {
    /// The action, such as `pause`; empty if the sender omitted it.
    public var name: String
    /// The other fields of the request, in order.
    public var arguments: [LogValueEntry]
    /// Whether it came over a network: its sender may not be a user of this machine, so that a handler must not open files
    /// that it names. Default `false`.
    public var isRemote = false

    /// Whether the server that runs this thread's command is shutting down, so that no one is waiting for the answer. A
    /// long command should then stop at the next safe point, such as between two transactions.
    @TaskLocal package static var isCancelled: @Sendable () -> Bool = { false }

    /// Creates a command.
    public init(_ name: String, _ arguments: [LogValueEntry] = []) {
        self.name = name
        self.arguments = arguments
    }

    /// The argument with a name.
    public subscript(name: String) -> LogValue? { arguments.first { $0.key == name }?.value }

    /// Returns an argument that must be a number; `nil` if missing.
    ///
    /// - Throws: ``OptionError`` for any other value.
    public func number(_ name: String) throws(OptionError) -> Double? {
        try argument(name, "a number") { value in
            switch value {
            case .int(let number): Double(number)
            case .double(let number) where number.isFinite: number
            default: nil
            }
        }
    }

    /// Returns an argument that must be a string; `nil` if missing.
    ///
    /// - Throws: ``OptionError`` for any other value.
    public func text(_ name: String) throws(OptionError) -> String? {
        try argument(name, "a string") { if case .string(let text) = $0 { text } else { nil } }
    }

    /// Returns an argument that must be a Boolean; `nil` if missing.
    ///
    /// - Throws: ``OptionError`` for any other value.
    public func flag(_ name: String) throws(OptionError) -> Bool? {
        try argument(name, "true or false") { if case .bool(let isTrue) = $0 { isTrue } else { nil } }
    }

    private func argument<T>(_ name: String, _ form: String, _ read: (LogValue) -> T?) throws(OptionError) -> T? {
        guard let value = self[name] else { return nil }
        guard let result = read(value) else { throw OptionError(name, "must be \(form)") }
        return result
    }

    /// Rejects arguments with other names.
    ///
    /// - Throws: ``OptionError`` that names the first one.
    public func expect(_ names: String...) throws(OptionError) {
        guard let other = arguments.first(where: { !names.contains($0.key) }) else { return }
        throw OptionError(name.isEmpty ? "command" : name, "\"\(other.key)\" is unknown")
    }

    /// Returns the error for an unknown command.
    public func unknown(among names: String...) -> OptionError {
        guard !name.isEmpty else { return OptionError("command", "is missing") }
        return OptionError("command", "must be one of \(names.joined(separator: ", ")), not \"\(name)\"")
    }
}

extension ControlCommand {
    /// The answer to a ``ControlCommand``.
    public struct Answer: Sendable, Hashable {
        /// The reason why the command failed; `nil` on success.
        public var problem: String?
        /// Further fields, in order.
        public var fields: [LogValueEntry]

        /// Creates an answer.
        public init(_ fields: [LogValueEntry] = [], problem: String? = nil) {
            self.fields = fields
            self.problem = problem
        }

        /// The field with a name.
        public subscript(name: String) -> LogValue? { fields.first { $0.key == name }?.value }
    }
}
