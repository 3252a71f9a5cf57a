internal import Taffrail
internal import TaffrailGeo
internal import TaffrailRecording

/// Writes a track as the sentences of a receiver.
final class NMEATrackWriter: TrackWriter {
    private let output: TextOutput
    private let writer = NMEAWriter(order: .positionFirst)
    private(set) var losses = TrackLosses()
    private var state = SentenceState()
    /// Whether there is no fix, and the time of its loss, if known.
    private var noFixPeriod: (isOpen: Bool, start: Timestamp?) = (false, nil)

    /// gpsd reports a lost fix only after several epochs without one; receivers send one every second.
    private static let voidStep = Duration.seconds(1)
    private static let voidLimit = 100
    private static let untimedVoids = 3

    init(_ output: TextOutput) { self.output = output }

    func begin(_ metadata: RecordingMetadata?, name: String) throws(RecordingError) {}

    private func endNoFixPeriod(at time: Timestamp?) {
        guard noFixPeriod.isOpen else { return }
        defer { noFixPeriod = (false, nil) }
        guard let time, let start = noFixPeriod.start else {
            for _ in 1..<Self.untimedVoids { writer.appendNoFix(at: nil, to: &output.bytes) }
            return
        }
        let length = time - start
        guard length > .zero else { return }
        let count = min(Self.voidLimit, max(1, Int((length / Self.voidStep).rounded(.up)) - 1))
        for index in 1...count {
            writer.appendNoFix(at: start + length * index / (count + 1), to: &output.bytes)
        }
    }

    func append(_ event: RecordedEvent) throws(RecordingError) {
        switch event.event {
        case .location(let location):
            endNoFixPeriod(at: location.fixTime)
            state.append(location, at: event.timestamp, with: writer, to: &output.bytes)
            losses.add(location, except: Self.kept(of: location))
        case .error(let error):
            noFixPeriod = (true, state.append(error, at: event.timestamp, with: writer, to: &output.bytes))
        case .log: losses.add("log")
        }
        try output.flushIfLong()
    }

    func finish() throws(RecordingError) { try output.finish() }

    /// Returns the values of a location that the sentences contain. A dilution is omitted if the accuracy is written
    /// instead.
    private static func kept(of location: Location) -> [LocationField] {
        var kept: [LocationField] = [
            .altitude, .ellipsoidalAltitude, .horizontalAccuracy, .course, .speed, .satellites, .pdop,
        ]
        if location.hasAltitude { kept.append(.verticalAccuracy) }
        if location.altitude != nil { kept.append(.geoidSeparation) }
        if location.horizontalAccuracy == nil { kept.append(.hdop) }
        if location.hasAltitude && location.verticalAccuracy == nil { kept.append(.vdop) }
        if location.sourceInformation == .init(isSimulatedBySoftware: true) { kept.append(.isSimulatedBySoftware) }
        return kept
    }
}
