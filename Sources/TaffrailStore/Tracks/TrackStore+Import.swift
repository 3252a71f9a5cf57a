#if Store
internal import Taffrail
internal import TaffrailRecording
internal import TaffrailTracks

extension TrackStore {
    /// The result of an import.
    public struct Imported: Sendable, Hashable {
        /// The numbers of points that are new, and that were already in the store.
        public var saved = Saved()
        /// The number of positions in the file that could not be read.
        public var skipped = 0
        /// Messages for users about a track: the problems with the first skipped positions, with their lines, and
        /// missing times. Empty for OwnTracks and Google's Timeline.
        public var warnings: [String] = []
    }

    /// Saves the positions of a file, in transactions of 1,000. A position that is already in the store is left
    /// unchanged.
    ///
    /// - Parameters:
    ///   - file: The path of the file.
    ///   - format: Its format.
    ///   - device: The device that moved; `nil`: the device named by the file, else ``TrackPoint/unnamedDevice``.
    ///   - session: The session; `nil`: the file's name.
    /// - Throws: ``StoreError``, and `RecordingError` for a file that cannot be read. Positions read before the error
    ///   are saved.
    @discardableResult
    public func importPoints(
        _ file: String, format: ImportFormat, device: String? = nil, session: String? = nil
    ) throws -> Imported {
        let reader = try format.reader(file)
        let name = session ?? FileName.base(of: file)
        var total = Imported()
        var points: [TrackPoint] = []
        func save() throws {
            let saved = try self.save(points)
            total.saved.inserted += saved.inserted
            total.saved.repeated += saved.repeated
            points.removeAll(keepingCapacity: true)
        }
        do {
            while let found = try reader.next() {
                guard
                    var point = TrackPoint(
                        found.location, device: device ?? found.device, session: name, received: found.received)
                else { continue }
                point.battery = found.battery
                point.localOffset = found.localOffset
                points.append(point)
                if points.count == 1_000 { try save() }
            }
        } catch let error as RecordingError {
            try save()
            throw error
        }
        try save()
        try analyse()
        total.skipped = reader.skipped
        total.warnings = reader.warnings
        return total
    }
}
#endif
