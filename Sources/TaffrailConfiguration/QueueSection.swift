#if Configuration
internal import Taffrail

/// The section `queue:` of a configuration.
struct QueueSection: Decodable {
    let options: QueueOptions

    fileprivate enum CodingKeys: String, CodingKey, CaseIterable {
        case capacity
        case whenFull = "when_full"
        case durable
        case blockLimit = "block_limit"
        case blockLimitSeconds = "block_limit_seconds"
        case flushLevel = "flush_level"
        case handleSignals = "handle_signals"
        case directory
    }

    init(from decoder: any Decoder) throws {
        let section = try decoder.container(keyedBy: CodingKeys.self)
        var options = QueueOptions()
        let capacity = ByteSize.bytes(options.capacity)
        options.capacity = try section.value(.capacity, or: capacity, in: .kibibytes(64) ... .gibibytes(1)).bytes
        options.whenFull = try section.value(.whenFull, or: WhenFullText(options.whenFull)).choice
        options.durable = try section.value(.durable, or: options.durable)
        options.blockLimit = try section.blockLimit(or: options.blockLimit)
        let flushLevel: FlushLevelText? = try section.value(.flushLevel)
        if let flushLevel { options.flushLevel = flushLevel.level }
        options.handleSignals = try section.value(.handleSignals, or: options.handleSignals)
        options.directory = try section.path(.directory)
        if let directory = options.directory, !directory.hasPrefix("/") {
            throw section.problem(.directory, "must be an absolute path, not \"\(directory)\"")
        }
        self.options = options
    }
}

extension KeyedDecodingContainer<QueueSection.CodingKeys> {
    /// `block_limit: 5s`; or `block_limit_seconds`, its older name, whose value may be a bare number too.
    fileprivate func blockLimit(or defaultValue: Duration) throws -> Duration {
        guard contains(.blockLimitSeconds) else {
            return try value(.blockLimit, or: defaultValue, in: .zero ... .hours(1))
        }
        guard !contains(.blockLimit) else {
            throw problem(.blockLimitSeconds, "cannot be combined with block_limit")
        }
        guard (try? decode(Double.self, forKey: .blockLimitSeconds)) != nil else {
            return try value(.blockLimitSeconds, or: defaultValue, in: .zero ... .hours(1))
        }
        let seconds: Double = try value(.blockLimitSeconds, or: 0, in: 0...3600)
        return .seconds(seconds)
    }
}

/// `block`, `drop_newest`, or `drop_below: LEVEL`.
private struct WhenFullText: Decodable {
    let choice: QueueOptions.WhenFull

    init(_ choice: QueueOptions.WhenFull) { self.choice = choice }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case dropBelow = "drop_below"
    }

    private enum Word: String, CaseIterable, Decodable {
        case block
        case dropNewest = "drop_newest"
        case dropBelow = "drop_below"
    }

    init(from decoder: any Decoder) throws {
        if let mapping = try? decoder.container(keyedBy: CodingKeys.self) {
            choice = .dropBelow(try mapping.decode(Level.self, forKey: .dropBelow))
            return
        }
        let value = try decoder.singleValueContainer()
        switch try value.decode(Word.self) {
        case .block: choice = .block
        case .dropNewest: choice = .dropNewest
        case .dropBelow:
            throw DecodingError.dataCorruptedError(
                in: value, debugDescription: "needs a level, such as {drop_below: warning}")
        }
    }
}

/// A level, or `never`.
private struct FlushLevelText: Decodable {
    let level: Level?

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        let text = try value.decode(String.self)
        level = Level(name: text)
        guard level != nil || text == "never" else {
            let names = (Level.allCases.map(\.name) + ["never"]).joined(separator: ", ")
            throw DecodingError.dataCorruptedError(
                in: value, debugDescription: "must be one of \(names), not \"\(text)\"")
        }
    }
}
#endif
