#if Store
internal import Taffrail
internal import TaffrailGeo
internal import TaffrailRecording
internal import TaffrailText

/// Reads the files of OwnTracks Recorder: in each line a time, a kind, and the message as JSON. Messages that are not
/// positions are skipped.
final class OwnTracksReader: ImportReader {
    private let source: any ByteSource
    private let path: String
    private var lines = LineSplitter(limit: 1 << 20)
    private var buffer: [UInt8] = []
    private var index = 0
    private var isAtEnd = false
    private(set) var skipped = 0

    init(_ source: any ByteSource, path: String) {
        self.source = source
        self.path = path
    }

    func next() throws(RecordingError) -> ImportedPoint? {
        while let line = try line() {
            guard let start = line.firstIndex(of: UInt8(ascii: "{")) else { continue }
            do throws(ReadError) {
                if let point = try Self.point(line[start...], device: deviceOfPath) { return point }
            } catch {
                skipped += 1
            }
        }
        return nil
    }

    private func line() throws(RecordingError) -> [UInt8]? {
        while true {
            while index < buffer.count {
                index += 1
                if let line = lines.take(buffer[index - 1]) { return line }
            }
            guard !isAtEnd else { return nil }
            var failure: SystemError?
            buffer = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
                do throws(SystemError) { count = try source.read(into: UnsafeMutableRawBufferPointer(buffer)) } catch {
                    failure = error
                    count = 0
                }
            }
            if let failure { throw RecordingError(failure, path: path) }
            index = 0
            if buffer.isEmpty {
                isAtEnd = true
                return lines.finish()
            }
        }
    }

    /// The device in the path: the file's directories are named after the user and the device, as in
    /// `rec/jane/phone/2026-01.rec`.
    private var deviceOfPath: String? {
        let parts = path.split(separator: "/").dropLast()
        guard parts.count >= 3, parts[parts.count - 3] == "rec" else { return nil }
        return parts.suffix(2).joined(separator: "/")
    }

    /// Returns `USER/DEVICE` of a topic, or its second level if there are only two.
    private static func name(topic: String) -> String? {
        if let sender = OwnTracksLocation.sender(topic: topic) { return "\(sender.user)/\(sender.device)" }
        return topic.split(separator: "/").dropFirst().first.map(String.init)
    }

    private static func point(_ text: ArraySlice<UInt8>, device: String?) throws(ReadError) -> ImportedPoint? {
        var reader = JSONReader(text, isStrict: false)
        let value = try reader.value()
        guard value["_type"]?.text == "location" else { return nil }
        guard let lat = value["lat"]?.number, let lon = value["lon"]?.number, let seconds = value["tst"]?.number,
            OwnTracksLocation.times.contains(seconds)
        else {
            throw reader.error("a location must have lat, lon and tst")
        }
        let coordinate = Coordinate(latitude: lat, longitude: lon)
        guard coordinate.isValid else { throw reader.error("a coordinate is out of range") }
        // The store has no column for the state of the battery, `bs`.
        let message = OwnTracksLocation(coordinate, seconds: seconds) { value[$0]?.number }
        let topic = value["topic"]?.text
        var point = ImportedPoint(location: message.location, received: message.location.timestamp)
        point.device = topic.flatMap(name) ?? device ?? value["tid"]?.text
        point.battery = message.battery
        return point
    }
}
#endif
