internal import Taffrail
internal import TaffrailGeo
internal import TaffrailText

/// The JSON of an answer.
struct APIDocument {
    let bytes: [UInt8]

    /// Creates an object, whose members `body` adds.
    ///
    /// - Parameter count: The approximate number of bytes of the object.
    init(reservingCapacity count: Int = 0, _ body: (inout JSONObject) -> Void) {
        var object = JSONObject(reservingCapacity: count)
        body(&object)
        bytes = object.closed
    }

    // MARK: Answers

    static func page(_ page: RecordPage) -> APIDocument {
        APIDocument(reservingCapacity: page.records.count * 400) { object in
            object.add("records", page.records) { $0.add($1) }
            if let next = page.next { object.add("next", next) } else { object.add("next", json: "null") }
            if let reached = page.reached { object.add("reached", reached) }
        }
    }

    static func surroundings(_ found: RecordSurroundings) -> APIDocument {
        APIDocument { object in
            object.add("before", found.before) { $0.add($1) }
            object.add("record") { $0.add(found.record) }
            object.add("after", found.after) { $0.add($1) }
            if let time = found.beforeReached { object.add("before_reached", time) }
            if let time = found.afterReached { object.add("after_reached", time) }
        }
    }

    static func histogram(_ histogram: Histogram) -> APIDocument {
        APIDocument { object in
            object.add("interval", histogram.interval / .seconds(1))
            object.add("total", whole: histogram.total)
            if let since = histogram.since { object.add("since", since) }
            object.add("buckets", histogram.buckets) { object, bucket in
                object.add("time", bucket.time)
                object.add("counts") { counts in
                    for (name, count) in bucket.counts.sorted(by: { $0.key < $1.key }) {
                        counts.add(name, whole: count)
                    }
                }
            }
        }
    }

    static func values(_ values: FieldValues) -> APIDocument {
        APIDocument { object in
            object.add("values", values.values) { object, one in
                object.add("value", value: one.value)
                object.add("count", whole: one.count)
            }
            object.add("distinct", whole: values.distinct)
            if let since = values.since { object.add("since", since) }
            if values.uncounted > 0 { object.add("uncounted", whole: values.uncounted) }
        }
    }

    static func devices(_ devices: [LogDevice]) -> APIDocument {
        APIDocument { object in
            object.add("devices", devices) { object, device in
                object.add("name", device.name)
                object.add("records", whole: device.records)
                if let last = device.last { object.add("last", last) }
                guard let place = device.coordinate else { return }
                object.add("position") { position in
                    position.add(place)
                    if let time = device.coordinateTime { position.add("time", time) }
                }
            }
        }
    }

    static func tracks(_ answer: DeviceTracks) -> APIDocument {
        APIDocument { object in
            object.add("tracks", answer.tracks) { object, track in
                object.add("device", track.device)
                object.add("total", whole: track.total)
                object.add("points", track.points) { object, point in
                    object.add("time", point.time)
                    object.add(point.coordinate)
                    if let speed = point.speed, speed.isFinite { object.add("speed", speed) }
                }
            }
            object.add("tolerance", answer.tolerance)
            if let since = answer.since { object.add("since", since) }
        }
    }

    static func visits(_ visits: [DeviceVisit]) -> APIDocument {
        APIDocument { object in
            object.add("visits", visits) { object, visit in
                object.add("device", visit.device)
                object.add("arrival", visit.arrival)
                object.add("departure", visit.departure)
                object.add("open", visit.isOpen)
                object.add(visit.coordinate)
            }
        }
    }

    static func trips(_ trips: [DeviceTrip]) -> APIDocument {
        APIDocument { object in
            object.add("trips", trips) { object, trip in
                object.add("device", trip.device)
                object.add("departure", trip.departure)
                object.add("arrival", trip.arrival)
                for (name, place) in [("from", trip.from), ("to", trip.to)] { object.add(name) { $0.add(place) } }
                object.add("distance", trip.distance)
                object.add("start", trip.start)
                object.add("end", trip.end)
                object.add("points", whole: trip.points)
            }
        }
    }

    static func alerts(_ alerts: [AlertStatus]) -> APIDocument {
        APIDocument { object in object.add("alerts", alerts) { $0.add($1) } }
    }

    static func series(_ answer: SeriesAnswer) -> APIDocument {
        APIDocument { object in
            object.add("interval", answer.interval / .seconds(1))
            object.add("sampled", answer.isSampled)
            object.add("devices", answer.devices) { object, device in
                object.add("device", device.device)
                for (name, values) in [
                    ("speed", device.speed), ("altitude", device.altitude), ("battery", device.battery),
                ] {
                    object.add(name, values) { object, value in
                        object.add("time", value.time)
                        object.add("least", value.least)
                        object.add("greatest", value.greatest)
                    }
                }
            }
        }
    }
}

extension JSONObject {
    /// Adds the members of a record: the keys of JSON lines, and `id`, `arrival`, `device`, `lat` and `lon`.
    mutating func add(_ record: StoredRecord) {
        if !record.id.isEmpty { add("id", record.id) }
        add("time", record.time)
        if record.arrival != record.time { add("arrival", record.arrival) }
        add(
            LogRecord(
                timestamp: record.time, level: record.level, message: record.message, eventName: record.eventName,
                attributes: record.attributes, logger: record.logger, source: record.source, trace: record.trace),
            device: record.device)
        if let place = record.coordinate { add(place) }
        // Numbers above 2⁵³ are not integers in JavaScript.
        add(run: record.run, sequence: record.sequence, exactUpTo: 1 << 53)
    }

    fileprivate mutating func add(_ place: Coordinate) {
        add("lat", place.latitude)
        add("lon", place.longitude)
    }

    fileprivate mutating func add(_ status: AlertStatus) {
        add("name", status.rule.name)
        add("query", status.rule.selection.description)
        add("level", status.rule.level.name)
        switch status.rule.condition {
        case .threshold(let threshold, let window):
            add("threshold", whole: threshold)
            add("window", window / .seconds(1))
        case .silence(let silence): add("silence", silence / .seconds(1))
        }
        add("count", whole: status.count)
        if let last = status.last { add("last", last) }
        add("devices", whole: status.devices)
        if status.uncounted > 0 { add("uncounted", whole: status.uncounted) }
        add("raised", status.raised) { object, raised in
            object.add("id", raised.id)
            object.add("device", known: raised.device)
            object.add("since", raised.since)
            object.add("count", whole: raised.count)
            if let last = raised.last { object.add("last", last) }
        }
    }
}
