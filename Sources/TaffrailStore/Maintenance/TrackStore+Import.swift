#if Store
internal import Taffrail
internal import TaffrailGeo
internal import TaffrailRecording
public import TaffrailTracks

extension TrackStore {
    /// Saves the positions of a track file, in transactions of 1,000. One that is in the store already stays as it is.
    ///
    /// - Parameters:
    ///   - device: What moved; `nil`: what the file names, else ``TrackPoint/unnamedDevice``.
    ///   - session: The session; `nil`: the file's name.
    /// - Throws: ``StoreError``, and `RecordingError` for a file that cannot be read. What was read before is saved.
    @discardableResult
    public func importTrack(
        _ file: String, format: TrackFormat, device: String? = nil, session: String? = nil
    ) throws -> Saved {
        let reader = try format.reader(path: file)
        let name = session ?? file.split(separator: "/").last.map(String.init) ?? file
        var total = Saved()
        var points: [TrackPoint] = []
        func save() throws {
            let saved = try self.save(points)
            total.inserted += saved.inserted
            total.repeated += saved.repeated
            points.removeAll(keepingCapacity: true)
        }
        do {
            while let event = try reader.next() {
                guard let location = event.event.location,
                    let point = TrackPoint(location, device: device, session: name, received: event.timestamp)
                else { continue }
                points.append(point)
                if points.count == 1_000 { try save() }
            }
        } catch let error as RecordingError {
            try save()
            throw error
        }
        try save()
        return total
    }
}
#endif
