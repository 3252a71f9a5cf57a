internal import Dispatch

extension OfflineGeocoder {
    /// How many coordinates a thread takes at a time.
    private static let share = 1_024

    /// Returns the names of many coordinates, in their order, looked up by as many threads as there are processors. The
    /// calling thread is one of them, and waits for the others.
    ///
    /// - Returns: For each coordinate, the result of ``placemark(at:)``.
    public func placemarks(at coordinates: [Coordinate]) -> [Placemark?] {
        var results = [Placemark?](repeating: nil, count: coordinates.count)
        results.withUnsafeMutableBufferPointer { buffer in
            // Each thread writes different elements.
            nonisolated(unsafe) let buffer = buffer
            let shares = (coordinates.count + Self.share - 1) / Self.share
            DispatchQueue.concurrentPerform(iterations: shares) { number in
                for index in number * Self.share..<min((number + 1) * Self.share, coordinates.count) {
                    buffer[index] = placemark(at: coordinates[index])
                }
            }
        }
        return results
    }
}
