/// The action for a path and a method.
enum ReceiverAction: String, Sendable {
    case ping, recentPings, lines, otlp, owntracks, overland, osmand, recording, live, query, health, metrics
    case start, loginPage, login, logout, session, control, controls, losses, places

    private static let all: [String: [String: ReceiverAction]] = [
        "/ping": ["POST": .ping],
        "/logs": ["GET": .recentPings, "POST": .lines],
        "/v1/logs": ["POST": .otlp],
        "/owntracks": ["POST": .owntracks],
        // The path of OwnTracks Recorder.
        "/pub": ["POST": .owntracks],
        "/overland": ["POST": .overland],
        "/osmand": ["GET": .osmand, "POST": .osmand],
        "/": ["GET": .start],
        "/stream": ["GET": .live],
        "/health": ["GET": .health],
        "/metrics": ["GET": .metrics],
        Gatekeeper.login: ["GET": .loginPage, "POST": .login],
        Gatekeeper.logout: ["POST": .logout],
        "/session": ["GET": .session],
        "/control": ["GET": .controls],
        "/losses": ["GET": .losses],
        "/places": ["GET": .places],
    ]

    /// Returns the action of a request.
    static func of(_ request: ServerRequest) throws(Problem) -> ReceiverAction {
        let path = request.target.path
        let methods: [String: ReceiverAction]? =
            if path.hasPrefix(RecordingUploads.prefix) {
                ["HEAD": .recording, "PUT": .recording]
            } else if path.hasPrefix(ControlRequest.prefix) {
                ["POST": .control]
            } else if path.hasPrefix("/api/") {
                ["GET": .query]
            } else {
                all[path]
            }
        guard let methods else {
            throw Problem.notFound
        }
        if let action = methods[request.method] { return action }
        if request.method == "HEAD", let action = methods["GET"] { return action }
        var problem = Problem(405, "the path allows \(methods.keys.sorted().joined(separator: ", "))")
        problem.allowed = methods.keys.sorted()
        throw problem
    }

    /// Returns whether a request requires no token.
    static func isOpen(_ request: ServerRequest) -> Bool {
        guard let action = try? of(request) else { return false }
        return action.role == nil
    }

    /// The role that a client requires; `nil`: neither a role nor a token.
    var role: Access.Roles? {
        switch self {
        case .ping, .lines, .otlp, .owntracks, .overland, .osmand, .recording: .ingest
        case .recentPings, .live, .query, .metrics, .losses, .places: .read
        case .control, .controls: .control
        case .start, .session: []
        case .health, .loginPage, .login, .logout: nil
        }
    }

    /// Returns the maximum size of its body, in bytes.
    ///
    /// - Parameter largest: The limit for batches.
    func bodyLimit(largest: Int) -> Int {
        switch self {
        case .lines, .otlp, .recording: largest
        case .overland: min(4 << 20, largest)
        case .ping, .owntracks, .osmand, .login, .logout, .control: 64 << 10
        case .recentPings, .live, .query, .health, .metrics, .start, .loginPage, .session, .controls, .losses, .places:
            0
        }
    }

    /// Whether each request is logged, instead of one in an hour: logins and logouts, whose number is limited.
    var isLoggedEachTime: Bool {
        switch self {
        case .login, .logout: true
        default: false
        }
    }
}
