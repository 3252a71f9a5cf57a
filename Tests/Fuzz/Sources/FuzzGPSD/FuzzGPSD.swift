import Taffrail
import TaffrailGeo

/// Input from a daemon: any bytes, in chunks of any size, must give reports or nothing.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzGPSD(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let now = Timestamp(nanoseconds: 1_767_623_400_000_000_000)
    let whole = reports(of: [bytes], now)
    let cut = Int(bytes.first ?? 0) % (count + 1)
    let pieces = reports(of: [Array(bytes[..<cut]), Array(bytes[cut...])], now)
    precondition(whole == pieces, "the pieces in which bytes come made a difference")
    for location in whole {
        precondition(location.coordinate.isValid, "a place that is not on the earth")
        precondition(location.horizontalAccuracy.map { $0 >= 0 && $0.isFinite } ?? true, "a wrong accuracy")
    }
    return 0
}

private func reports(of pieces: [[UInt8]], _ now: Timestamp) -> [Location] {
    var parser = GPSDParser()
    var merger = EpochMerger(window: .milliseconds(100))
    var locations: [Location] = []
    for piece in pieces {
        parser.read(piece, received: now) { report in
            guard case .position(let position) = report else { return }
            for merged in merger.take(position, now: 0) {
                if let location = merged.location { locations.append(location) }
            }
        }
    }
    for merged in merger.finish() { if let location = merged.location { locations.append(location) } }
    return locations
}
