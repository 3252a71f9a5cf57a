package import Taffrail
package import TaffrailGeo
internal import TaffrailText

/// Collects events, from any thread.
package final class GeoEvents: Sendable {
    private let events = Locked<[GeoEvent]>([])
    package init() {}
    package func add(_ event: GeoEvent) { events.withLock { $0.append(event) } }
    package var all: [GeoEvent] { events.withLock { $0 } }
    package var count: Int { events.withLock { $0.count } }
    package var locations: [Location] { all.compactMap(\.location) }
    package var errors: [String] { all.compactMap(\.error?.description) }
}

/// A sink that keeps the events of its records.
package final class GeoEventSink: Sink {
    private let events: GeoEvents
    package init(_ events: GeoEvents) { self.events = events }
    package func write(_ batch: borrowing RecordBatch) throws(SinkError) {
        batch.forEach { events.add(GeoEvent(LogRecord($0))) }
    }
}

/// Runs a blocking closure on a separate thread, so that other tests continue.
package func blocking<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
    guard let result = await DedicatedThread.value(of: { Result { try body() } }) else {
        throw SystemError("start a thread", code: 11)
    }
    return try result.get()
}
