#if HTTP
internal import Taffrail
internal import TaffrailDelivery

/// How a protocol writes a batch, and what its answers mean.
protocol BatchEncoding: Sendable {
    var contentType: String { get }

    /// Whether an answer has something for each record, so that it is as long as the batch demands.
    var answersEachRecord: Bool { get }

    /// The body of a request.
    ///
    /// - Throws: When a record cannot be written.
    func body(of batch: SpoolReader.Part, from resource: ResourceAttributes) throws -> [UInt8]

    /// What an answer means, by its status and its body.
    func verdict(_ status: Int, _ body: [UInt8]) -> AnswerMeaning
}

extension BatchEncoding {
    var answersEachRecord: Bool { false }
}

/// What an answer means, without its headers.
struct AnswerMeaning: Equatable {
    enum Kind: Equatable {
        case accepted(refused: UInt64)
        case later
        case tooLarge
        /// The content encoding is not accepted.
        case unsupported
        case refused
        case denied
    }

    var kind: Kind
    /// What the destination says about it.
    var message = ""
    /// How many records it is about, if it is about each.
    var count: Int?
    /// The indexes of the records that were refused, if it is about each.
    var refused: [Int] = []

    init(_ kind: Kind, _ message: String = "") {
        self.kind = kind
        self.message = message
    }

    /// The meaning of a status that HTTP itself defines and that is the same for every protocol; `nil` for others.
    init?(common status: Int) {
        switch status {
        case 413: self.init(.tooLarge)
        case 415: self.init(.unsupported)
        case 408, 425, 429: self.init(.later)
        // Another address, another method, other credentials: whatever is sent, the answer is the same.
        case 300..<400, 401, 402, 403, 404, 405, 406, 407, 410, 411, 421, 426, 451, 501, 505, 511: self.init(.denied)
        default: return nil
        }
    }
}

/// What is the same for all records of a program.
struct ResourceAttributes: Sendable {
    /// In order.
    private var fixed: [(name: String, value: String)]

    /// - Parameter own: Attributes of the configuration; they replace others.
    init(program: String, host: String, own: [String: String]) {
        fixed = [("service.name", program), ("host.name", host)].filter { own[$0.name] == nil && !$0.value.isEmpty }
        fixed += own.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// The attributes for the records of a run.
    func all(of run: RingID) -> [(name: String, value: String)] {
        fixed.contains { $0.name == "service.instance.id" } ? fixed : fixed + [("service.instance.id", "\(run)")]
    }
}

extension HTTPRemoteOptions.Encoding {
    /// The encoding.
    var encoding: any BatchEncoding {
        switch self {
        case .otlp: OTLPEncoding()
        case .otlpJSON: OTLPJSONEncoding()
        case .ndjson: LinesEncoding()
        case .loki: LokiEncoding()
        case .elasticsearch: ElasticsearchEncoding()
        case .clickhouse: ClickHouseEncoding()
        }
    }
}

extension Level {
    /// OpenTelemetry's severity number.
    var severityNumber: Int {
        switch self {
        case .trace: 1
        case .debug: 5
        case .info: 9
        case .notice: 10
        case .warning: 13
        case .error: 17
        case .critical: 18
        }
    }
}
#endif
