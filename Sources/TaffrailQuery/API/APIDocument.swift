internal import Taffrail
internal import TaffrailGeo
internal import TaffrailText

/// The JSON of an answer.
struct APIDocument {
    private(set) var bytes: [UInt8] = []

    // MARK: Answers

    static func page(_ page: RecordPage) -> APIDocument {
        var document = APIDocument()
        document.bytes.reserveCapacity(page.records.count * 400)
        document.object { object in
            object.list("records", page.records) { $0.record($1) }
            object.text("next", page.next)
            if let reached = page.reached { object.time("reached", reached) }
        }
        return document
    }

    static func surroundings(_ found: RecordSurroundings) -> APIDocument {
        var document = APIDocument()
        document.object { object in
            object.list("before", found.before) { $0.record($1) }
            object.key("record")
            object.record(found.record)
            object.list("after", found.after) { $0.record($1) }
            if let time = found.beforeReached { object.time("before_reached", time) }
            if let time = found.afterReached { object.time("after_reached", time) }
        }
        return document
    }

    static func histogram(_ histogram: Histogram) -> APIDocument {
        var document = APIDocument()
        document.object { object in
            object.real("interval", histogram.interval / .seconds(1))
            object.number("total", histogram.total)
            if let since = histogram.since { object.time("since", since) }
            object.list("buckets", histogram.buckets) { list, bucket in
                list.object { object in
                    object.time("time", bucket.time)
                    object.key("counts")
                    object.object { counts in
                        for (name, count) in bucket.counts.sorted(by: { $0.key < $1.key }) {
                            counts.number(name, count)
                        }
                    }
                }
            }
        }
        return document
    }

    static func values(_ values: FieldValues) -> APIDocument {
        var document = APIDocument()
        document.object { object in
            object.list("values", values.values) { list, one in
                list.object { object in
                    object.key("value")
                    object.bytes.append(json: one.value)
                    object.number("count", one.count)
                }
            }
            object.number("distinct", values.distinct)
            if let since = values.since { object.time("since", since) }
            if values.uncounted > 0 { object.number("uncounted", values.uncounted) }
        }
        return document
    }

    static func devices(_ devices: [LogDevice]) -> APIDocument {
        var document = APIDocument()
        document.object { object in
            object.list("devices", devices) { list, device in
                list.object { object in
                    object.text("name", device.name)
                    object.number("records", device.records)
                    if let last = device.last { object.time("last", last) }
                    guard let place = device.coordinate else { return }
                    object.key("position")
                    object.object { position in
                        position.place(place)
                        if let time = device.coordinateTime { position.time("time", time) }
                    }
                }
            }
        }
        return document
    }

    static func tracks(_ answer: DeviceTracks) -> APIDocument {
        var document = APIDocument()
        document.object { object in
            object.list("tracks", answer.tracks) { list, track in
                list.object { object in
                    object.text("device", track.device)
                    object.number("total", track.total)
                    object.list("points", track.points) { list, point in
                        list.object { object in
                            object.time("time", point.time)
                            object.place(point.coordinate)
                            if let speed = point.speed, speed.isFinite {
                                object.real("speed", speed)
                            }
                        }
                    }
                }
            }
            object.real("tolerance", answer.tolerance)
            if let since = answer.since { object.time("since", since) }
        }
        return document
    }

    static func visits(_ visits: [DeviceVisit]) -> APIDocument {
        var document = APIDocument()
        document.object { object in
            object.list("visits", visits) { list, visit in
                list.object { object in
                    object.text("device", visit.device)
                    object.time("arrival", visit.arrival)
                    object.time("departure", visit.departure)
                    object.flag("open", visit.isOpen)
                    object.place(visit.coordinate)
                }
            }
        }
        return document
    }

    static func trips(_ trips: [DeviceTrip]) -> APIDocument {
        var document = APIDocument()
        document.object { object in
            object.list("trips", trips) { list, trip in
                list.object { object in
                    object.text("device", trip.device)
                    object.time("departure", trip.departure)
                    object.time("arrival", trip.arrival)
                    for (name, place) in [("from", trip.from), ("to", trip.to)] {
                        object.key(name)
                        object.object { $0.place(place) }
                    }
                    object.real("distance", trip.distance)
                    object.text("start", trip.start)
                    object.text("end", trip.end)
                    if let points = trip.points { object.number("points", points) }
                }
            }
        }
        return document
    }

    static func alerts(_ alerts: [AlertStatus]) -> APIDocument {
        var document = APIDocument()
        document.object { $0.list("alerts", alerts) { $0.alert($1) } }
        return document
    }

    private mutating func alert(_ status: AlertStatus) {
        object { object in
            object.text("name", status.rule.name)
            object.text("query", status.rule.selection.description)
            object.text("level", status.rule.level.name)
            switch status.rule.condition {
            case .threshold(let threshold, let window):
                object.number("threshold", threshold)
                object.real("window", window / .seconds(1))
            case .silence(let silence): object.real("silence", silence / .seconds(1))
            }
            if let count = status.count { object.number("count", count) }
            if let last = status.last { object.time("last", last) }
            if let devices = status.devices { object.number("devices", devices) }
            if status.uncounted > 0 { object.number("uncounted", status.uncounted) }
            object.list("raised", status.raised) { list, raised in
                list.object { object in
                    object.text("id", raised.id)
                    if let device = raised.device { object.text("device", device) }
                    object.time("since", raised.since)
                    if let count = raised.count { object.number("count", count) }
                    if let last = raised.last { object.time("last", last) }
                }
            }
        }
    }

    /// Returns a record: the keys of JSON lines, and `id`, `arrival`, `device`, `lat` and `lon`.
    static func line(_ record: StoredRecord) -> [UInt8] {
        var document = APIDocument()
        document.record(record)
        return document.bytes
    }

    private mutating func record(_ record: StoredRecord) {
        object { object in
            if !record.id.isEmpty { object.text("id", record.id) }
            object.time("time", record.time)
            if record.arrival != record.time { object.time("arrival", record.arrival) }
            object.text("level", record.level.name)
            object.text("message", record.message)
            if !record.logger.isEmpty { object.text("logger", record.logger) }
            if let event = record.eventName { object.text("event", event) }
            if !record.device.isEmpty { object.text("device", record.device) }
            if !record.attributes.isEmpty {
                object.key("attributes")
                object.bytes.append(json: .map(record.attributes))
            }
            if let trace = record.trace {
                object.text("trace_id", trace.traceID.description)
                object.text("span_id", trace.spanID.description)
            }
            if let source = record.source {
                object.text("file", source.file)
                object.number("line", Int(source.line))
                object.text("function", source.function)
            }
            if let place = record.coordinate { object.place(place) }
            if !record.run.isEmpty { object.text("run", record.run) }
            // Numbers above 2⁵³ are not integers in JavaScript.
            if let sequence = record.sequence {
                if sequence <= 1 << 53 {
                    object.number("seq", Int(sequence))
                } else {
                    object.text("seq", "\(sequence)")
                }
            }
        }
    }

    // MARK: Syntax

    mutating func object(_ body: (inout APIDocument) -> Void) {
        bytes.append("{")
        body(&self)
        bytes.append("}")
    }

    mutating func list<T>(_ name: String, _ elements: [T], _ body: (inout APIDocument, T) -> Void) {
        key(name)
        bytes.append("[")
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(",") }
            body(&self, element)
        }
        bytes.append("]")
    }

    private mutating func key(_ name: String) {
        if bytes.last != UInt8(ascii: "{") { bytes.append(",") }
        bytes.append(json: name)
        bytes.append(":")
    }

    mutating func text(_ name: String, _ text: String?) {
        key(name)
        if let text { bytes.append(json: text) } else { bytes.append("null") }
    }

    private mutating func number(_ name: String, _ number: Int) {
        key(name)
        bytes.append(decimal: number)
    }

    mutating func real(_ name: String, _ number: Double) {
        key(name)
        bytes.append(real: number)
    }

    mutating func flag(_ name: String, _ flag: Bool) {
        key(name)
        bytes.append(flag ? "true" : "false")
    }

    mutating func time(_ name: String, _ time: Timestamp) {
        key(name)
        bytes.append("\"")
        RFC3339.append(time, decimals: 9, to: &bytes)
        bytes.append("\"")
    }

    private mutating func place(_ place: Coordinate) {
        real("lat", place.latitude)
        real("lon", place.longitude)
    }
}

extension StoredRecord {
    /// The record as a JSON object, with the keys of JSON lines and `id`, `arrival`, `device`, `lat` and `lon`, without
    /// unknown values.
    public var json: [UInt8] { APIDocument.line(self) }
}
