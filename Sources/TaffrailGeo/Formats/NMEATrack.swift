internal import Taffrail

/// Reads the sentences of a receiver from a file.
final class NMEATrackReader: TrackReader {
    private let source: any ByteSource
    private let path: String
    private var parser = NMEAParser()
    private var watch = FixWatch()
    private var schedule = TrackSchedule()
    private var queue: [RecordedEvent] = []
    private var queueUsed = 0
    private var isAtEnd = false
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_384, alignment: 16)
    let metadata: RecordingMetadata? = nil

    init(_ source: any ByteSource, path: String) {
        self.source = source
        self.path = path
    }

    deinit { buffer.deallocate() }

    func next() throws(RecordingError) -> RecordedEvent? {
        while queueUsed == queue.count {
            queue.removeAll(keepingCapacity: true)
            queueUsed = 0
            guard !isAtEnd else { return nil }
            try read()
        }
        queueUsed += 1
        return queue[queueUsed - 1]
    }

    private func read() throws(RecordingError) {
        var reports: [PositionReport] = []
        do throws(SystemFailure) {
            let count = try source.read(into: buffer)
            parser.read(buffer[..<count], received: Timestamp(nanoseconds: 0)) { reports.append($0) }
            if count == 0 {
                isAtEnd = true
                parser.finish { reports.append($0) }
            }
        } catch {
            throw RecordingError(error, path: path)
        }
        for report in reports { take(report) }
        guard isAtEnd, parser.counts.sentences == 0 else { return }
        throw RecordingError(.malformed, path: path, reason: "there is no NMEA sentence in it")
    }

    private func take(_ report: PositionReport) {
        guard let event = watch.event(report) else { return }
        switch event {
        case .location(var location):
            location.extra.hasNoTime = nil
            queue.append(schedule.event(location, time: report.time))
        case .error(let error):
            var gap = schedule.gap(at: report.time)
            gap.event = .error(error)
            queue.append(gap)
        case .log: break
        }
    }
}

/// Writes a track as the sentences of a receiver.
final class NMEATrackWriter: TrackWriter {
    private let output: TextOutput
    private let writer = NMEAWriter(order: .positionFirst)
    private(set) var losses = TrackLosses()
    /// The moment of the last epoch without a fix, while there is none.
    private var lastVoid: Timestamp?

    /// gpsd believes that a fix is lost when several epochs say so; receivers say it every second.
    private static let voidStep = 1.0
    private static let voidLimit = 100

    init(_ output: TextOutput) { self.output = output }

    func begin(_ metadata: RecordingMetadata?, name: String) throws(RecordingError) {}

    private func endSpell(at moment: Timestamp) {
        guard let start = lastVoid else { return }
        lastVoid = nil
        let length = moment.seconds(since: start)
        guard length > 0 else { return }
        let count = min(Self.voidLimit, max(1, Int((length / Self.voidStep).rounded(.up)) - 1))
        for index in 1...count {
            writer.appendNoFix(at: start + length * Double(index) / Double(count + 1), to: &output.bytes)
        }
    }

    func append(_ event: RecordedEvent) throws(RecordingError) {
        switch event.event {
        case .location(let location):
            endSpell(at: location.timestamp)
            writer.append(location, to: &output.bytes)
            losses.add(location, except: Self.kept(of: location))
        case .error:
            writer.appendNoFix(at: event.timestamp, to: &output.bytes)
            lastVoid = event.timestamp
        case .log: losses.add("log")
        }
        try output.flushIfLong()
    }

    func finish() throws(RecordingError) { try output.finish() }

    /// What the sentences of a location hold. A dilution gives way to the accuracy that is written by it.
    private static func kept(of location: Location) -> Set<TrackLosses.Field> {
        var kept: Set<TrackLosses.Field> = [
            .altitude, .ellipsoidalAltitude, .horizontalAccuracy, .course, .speed, .satellites, .pdop,
        ]
        let hasAltitude = location.altitude != nil || location.ellipsoidalAltitude != nil
        if hasAltitude { kept.insert(.verticalAccuracy) }
        if location.altitude != nil { kept.insert(.geoidSeparation) }
        if location.horizontalAccuracy == nil { kept.insert(.hdop) }
        if hasAltitude && location.verticalAccuracy == nil { kept.insert(.vdop) }
        if location.sourceInformation == .init(isSimulatedBySoftware: true) { kept.insert(.sourceInformation) }
        return kept
    }
}
