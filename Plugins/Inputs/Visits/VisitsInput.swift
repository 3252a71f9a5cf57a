public import Taffrail
public import TaffrailGeo
internal import TaffrailLocationManager
internal import TaffrailText

/// Logs stays, and entering and leaving places, according to the positions of the program's inputs.
///
/// A stay becomes a record with event name `geo.visit` on arrival and on departure. Entering or leaving a place becomes
/// a record with `geo.region`.
public final class VisitsInput: Input {
    private let manager: LocationManager
    private let listener: LocationListener
    private let events: AsyncStream<Happening>
    private let places: [NamedPlace]

    /// An event, and the time of the fix that caused it.
    private struct Happening: Sendable {
        var event: LocationManagerEvent
        var time: Timestamp?
    }

    /// Creates an input. It starts listening immediately, so that it misses none of the first positions.
    ///
    /// - Parameter feed: The source of positions.
    public init(_ options: VisitsOptions, feed: LocationFeed = .shared) {
        places = options.places
        manager = LocationManager(feed: feed)
        var rules = VisitRules()
        rules.radius = options.radius
        rules.dwell = options.dwell
        manager.visitRules = rules
        let (events, continuation) = AsyncStream.makeStream(of: Happening.self)
        self.events = events
        listener = manager.addImmediateListener { event in
            switch event {
            case .visit, .entered, .exited, .determined(.inside, _):
                continuation.yield(Happening(event: event, time: feed.latest?.timestamp))
            default: break
            }
        }
        if options.visits { manager.startMonitoringVisits() }
        for place in places {
            manager.startMonitoring(
                for: CircularRegion(center: place.center, radius: place.radius, identifier: place.name))
        }
    }

    /// Logs until the task is cancelled.
    public func run(into pipeline: Pipeline) async throws {
        let logger = pipeline.logger(GeoEvent.logger)
        var entered: [String: Timestamp] = [:]
        for await happening in events {
            switch happening.event {
            case .visit(let visit): log(visit, logger)
            case .determined(_, let region): entered[region.identifier] = entered[region.identifier] ?? happening.time
            case .entered(let region):
                entered[region.identifier] = happening.time
                log(region, isEntered: true, at: happening.time, since: nil, logger)
            case .exited(let region):
                let since = entered.removeValue(forKey: region.identifier)
                log(region, isEntered: false, at: happening.time, since: since, logger)
            default: break
            }
        }
    }

    /// Logs a visit. The message contains no coordinates, which `privacy` might hide.
    private func log(_ visit: Visit, _ logger: Logger) {
        var attributes: [LogValueEntry] = [
            LogValueEntry(GeoAttributes.latitude, .double(visit.coordinate.latitude)),
            LogValueEntry(GeoAttributes.longitude, .double(visit.coordinate.longitude)),
            LogValueEntry("taffrail.geo.horizontal_accuracy", .double(visit.horizontalAccuracy)),
            LogValueEntry("taffrail.geo.transition", .string(visit.departureDate == nil ? "arrive" : "leave")),
            LogValueEntry("taffrail.geo.arrival", .date(visit.arrivalDate)),
        ]
        var message = "arrived"
        if let departure = visit.departureDate {
            let duration = departure - visit.arrivalDate
            attributes.append(LogValueEntry("taffrail.geo.departure", .date(departure)))
            attributes.append(LogValueEntry("taffrail.geo.duration", duration.logValue))
            message = "left after \(ClockText.minutes(duration))"
        }
        if let place = places.first(where: { $0.center.distance(to: visit.coordinate) <= $0.radius }) {
            attributes.append(LogValueEntry("taffrail.geo.place", .string(place.name)))
        }
        Self.log(message, "geo.visit", attributes, logger)
    }

    private func log(
        _ region: CircularRegion, isEntered: Bool, at time: Timestamp?, since: Timestamp?, _ logger: Logger
    ) {
        var attributes: [LogValueEntry] = [
            LogValueEntry("taffrail.geo.place", .string(region.identifier)),
            LogValueEntry("taffrail.geo.transition", .string(isEntered ? "enter" : "leave")),
        ]
        if let time { attributes.append(LogValueEntry("taffrail.geo.time", .date(time))) }
        var message = isEntered ? "entered \(region.identifier)" : "left \(region.identifier)"
        if let time, let since {
            let duration = time - since
            attributes.append(LogValueEntry("taffrail.geo.duration", duration.logValue))
            message += " after \(ClockText.minutes(duration))"
        }
        Self.log(message, "geo.region", attributes, logger)
    }

    /// Logs without ambient attributes, because the record has its own place and time: the event is detected later, or
    /// in a replay.
    private static func log(_ message: String, _ event: String, _ attributes: [LogValueEntry], _ logger: Logger) {
        logger.log(
            LogRecord(
                level: .info, message: message, eventName: event, attributes: attributes, logger: GeoEvent.logger),
            ambient: false)
    }

    deinit { listener.cancel() }
}
