/// What a receiver does for a path and a method.
enum ReceiverAction: Sendable {
    case ping, recentPings, lines, otlp, owntracks, overland, osmand, recording, live, health, metrics

    private static let all: [String: [String: ReceiverAction]] = [
        "/ping": ["POST": .ping],
        "/logs": ["GET": .recentPings, "POST": .lines],
        "/v1/logs": ["POST": .otlp],
        "/owntracks": ["POST": .owntracks],
        // The path that OwnTracks' own recorder has.
        "/pub": ["POST": .owntracks],
        "/overland": ["POST": .overland],
        "/osmand": ["GET": .osmand, "POST": .osmand],
        "/stream": ["GET": .live],
        "/health": ["GET": .health],
        "/metrics": ["GET": .metrics],
    ]

    /// The action of a request.
    static func of(_ request: ServerRequest) throws(Problem) -> ReceiverAction {
        let isRecording = request.target.path.hasPrefix(RecordingUploads.prefix)
        let recording: [String: ReceiverAction] = ["HEAD": .recording, "PUT": .recording]
        guard let methods = isRecording ? recording : all[request.target.path] else {
            throw Problem(404, "there is nothing at this path")
        }
        if let action = methods[request.method] { return action }
        if request.method == "HEAD", let action = methods["GET"] { return action }
        var problem = Problem(405, "the path allows \(methods.keys.sorted().joined(separator: ", "))")
        problem.allowed = methods.keys.sorted()
        throw problem
    }

    /// What a client must be allowed to do; `nil`: nothing.
    var role: Access.Roles? {
        switch self {
        case .ping, .lines, .otlp, .owntracks, .overland, .osmand, .recording: .ingest
        case .recentPings, .live, .metrics: .read
        case .health: nil
        }
    }

    /// The most bytes of its body.
    ///
    /// - Parameter largest: The limit for batches.
    func bodyLimit(largest: Int) -> Int {
        switch self {
        case .lines, .otlp, .recording: largest
        case .overland: min(4 << 20, largest)
        case .ping, .owntracks, .osmand: 64 << 10
        case .recentPings, .live, .health, .metrics: 0
        }
    }
}
