public import Taffrail
package import TaffrailGeo

extension LogSelection {
    /// Returns whether a record matches. Every store's answers agree with this function.
    public func matches(_ record: StoredRecord) -> Bool {
        conditions.allSatisfy { $0.test.matches(record) != $0.isNegated }
    }

    /// The time range that the conditions allow: `since` inclusive, `until` exclusive, in nanoseconds.
    package var range: (since: Int64?, until: Int64?) {
        var range: (since: Int64?, until: Int64?)
        for condition in conditions {
            switch (condition.test, condition.isNegated) {
            case (.since(let time), false), (.until(let time), true):
                range.since = max(range.since ?? .min, time.nanoseconds)
            case (.until(let time), false), (.since(let time), true):
                range.until = min(range.until ?? .max, time.nanoseconds)
            default: break
            }
        }
        return range
    }

    /// Whether a condition restricts the time.
    package var hasTimes: Bool {
        conditions.contains { condition in
            switch condition.test {
            case .since, .until: true
            default: false
            }
        }
    }

    /// Returns this selection, restricted to times from `since`, inclusive, to `until`, exclusive.
    public func between(_ since: Timestamp?, _ until: Timestamp?) -> LogSelection {
        var selection = self
        if let since { selection.conditions.append(LogCondition(.since(since))) }
        if let until { selection.conditions.append(LogCondition(.until(until))) }
        return selection
    }
}

extension LogTest {
    /// Returns whether a record passes.
    func matches(_ record: StoredRecord) -> Bool {
        switch self {
        case .since(let time): record.time >= time
        case .until(let time): record.time < time
        case .text(let text, let isPrefix):
            Self.isFound(text, isPrefix, in: [record.message, record.eventName, record.indexedText])
        case .message(let text): FoldedSearch(text).isFound(in: record.message)
        case .trace(let trace): record.trace?.traceID == trace
        case .span(let span): record.trace?.spanID == span
        case .run(let run): record.run.utf8.elementsEqual(run.utf8)
        case .attribute(let key, let test): record[key].map { test.matches($0) } ?? false
        case .near, .box: matches(record.coordinate)
        case .level, .levels: matches(record.level)
        case .logger, .exactLogger: matches(logger: record.logger)
        case .device(let names): names.contains { $0.matches(record.device) }
        case .event(let names): names.contains { $0.matches(record.eventName ?? "") }
        }
    }

    /// Returns whether a level passes this test of levels.
    package func matches(_ level: Level) -> Bool {
        switch self {
        case .level(let comparison, let bound): comparison.holds(level, bound)
        case .levels(let levels): levels.contains(level)
        default: false
        }
    }

    /// Returns whether a logger's name passes this test of loggers.
    package func matches(logger name: String) -> Bool {
        switch self {
        case .logger(let names):
            names.contains { wanted in
                name.utf8.starts(with: wanted.utf8)
                    && (name.utf8.count == wanted.utf8.count
                        || name.utf8[name.utf8.index(name.utf8.startIndex, offsetBy: wanted.utf8.count)]
                            == UInt8(ascii: "."))
            }
        case .exactLogger(let names): names.contains { $0.utf8.elementsEqual(name.utf8) }
        default: false
        }
    }

    /// Returns whether a place passes this test of places.
    package func matches(_ place: Coordinate?) -> Bool {
        guard let place else { return false }
        switch self {
        case .near(let center, let radius): return center.distance(to: place) <= radius
        case .box(let box): return box.contains(place)
        default: return false
        }
    }

    /// Returns whether one of the strings contains these words; a string without words is searched for literally.
    package static func isFound(_ text: String, _ isPrefix: Bool, in texts: [String?]) -> Bool {
        let phrase = LogWords.of(text)
        guard !phrase.isEmpty else {
            let search = FoldedSearch(text)
            return texts.contains { $0.map { search.isFound(in: $0) } ?? false }
        }
        return texts.contains { $0.map { LogWords.contains(phrase, in: LogWords.of($0), isPrefix: isPrefix) } ?? false }
    }
}
