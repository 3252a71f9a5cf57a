internal import Taffrail
internal import TaffrailGeo
internal import TaffrailRecording
internal import TaffrailText

/// Reads the sentences of a receiver from a file.
final class NMEATrackReader: ScheduledTrackReader {
    private let source: any ByteSource
    private var parser = NMEAParser()
    private var watch = FixLossDetector()
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_384, alignment: 16)

    init(_ source: any ByteSource, path: String) {
        self.source = source
        super.init(path: path)
    }

    deinit { buffer.deallocate() }

    override func readMore() throws(RecordingError) -> Bool {
        var reports: [PositionReport] = []
        var isAtEnd = false
        do throws(SystemError) {
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
        guard isAtEnd, parser.counts.sentences == 0 else { return !isAtEnd }
        throw RecordingError(.malformed, path: path, reason: "contains no NMEA sentence")
    }

    private func take(_ report: PositionReport) {
        guard let event = watch.event(report) else { return }
        guard case .location(var location) = event else { return schedule.add(event, time: report.time) }
        location.extra.hasNoTime = nil
        schedule.add(location, time: report.time)
    }
}
