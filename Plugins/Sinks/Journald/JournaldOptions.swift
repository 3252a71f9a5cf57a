#if Journald
public import Taffrail

/// The options of the sink `journald`.
public struct JournaldOptions: PluginOptions {
    /// `SYSLOG_IDENTIFIER` of every entry. Default `nil`: the program's name. Not empty, at most 255 bytes, without
    /// control characters.
    public var identifier: String?
    /// The absolute path of the native protocol's socket. Default `/run/systemd/journal/socket`; for a journal
    /// namespace `/run/systemd/journal.NAME/socket`.
    public var socket: String
    /// How long journald may hang before records are written to the fallback file. From 100 ms to 1 h. Default 2 s.
    public var patience: Duration
    /// Whether to write records to a file in the log directory while journald is unavailable. Default `true`. Otherwise
    /// they remain in the queue.
    public var fallback: Bool

    /// Creates options.
    public init(
        identifier: String? = nil, socket: String = "/run/systemd/journal/socket", patience: Duration = .seconds(2),
        fallback: Bool = true
    ) {
        self.identifier = identifier
        self.socket = socket
        self.patience = patience
        self.fallback = fallback
    }

    /// Returns the socket and the identifier: two programs that share a journal do not share a destination.
    public func destinations(of instance: PluginInstance) -> [String] { destinations(of: instance.program) }

    func destinations(of program: String) -> [String] { ["\(socket) \(identifier ?? program)"] }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case identifier, socket, patience, fallback
    }

    /// Decodes options.
    public init(from decoder: any Decoder) throws {
        let options = try decoder.container(keyedBy: CodingKeys.self)
        self.init()
        identifier = try options.value(.identifier)
        socket = try options.path(.socket, or: socket)
        patience = try options.value(.patience, or: patience, in: .milliseconds(100) ... .hours(1))
        fallback = try options.value(.fallback, or: fallback)
        if let identifier {
            let isPlain = identifier.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
            guard isPlain, (1...255).contains(identifier.utf8.count) else {
                throw options.problem(.identifier, "must be 1 to 255 bytes without control characters")
            }
        }
        guard socket.hasPrefix("/"), socket.utf8.count <= JournalSocket.longestPath else {
            throw options.problem(
                .socket, "must be an absolute path of at most \(JournalSocket.longestPath) bytes, not \"\(socket)\"")
        }
    }

    /// `true`: the fallback file is kept next to the log by default.
    public static var keepsStateBesideLog: Bool { true }
}
#endif
