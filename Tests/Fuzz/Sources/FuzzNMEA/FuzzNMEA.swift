import Taffrail
import TaffrailGeo

/// Input from a receiver: any bytes, in chunks of any size, must give valid positions or nothing.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzNMEA(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let whole = reports(of: [bytes])
    let cut = Int(bytes.first ?? 0) % (count + 1)
    let pieces = reports(of: [Array(bytes[..<cut]), Array(bytes[cut...])])
    precondition(whole == pieces, "the pieces in which bytes come made a difference")
    for report in whole {
        guard let location = report.location else { continue }
        precondition(location.coordinate.isValid, "a place that is not on the earth")
        precondition(location.speed.map { $0 >= 0 && $0.isFinite } ?? true, "a wrong speed")
        precondition(location.course.map { $0 >= 0 && $0 <= 360 } ?? true, "a wrong course")
    }
    return 0
}

private func reports(of pieces: [[UInt8]]) -> [PositionReport] {
    var parser = NMEAParser()
    var reports: [PositionReport] = []
    for piece in pieces { parser.read(piece, received: Timestamp(nanoseconds: 0)) { reports.append($0) } }
    parser.finish { reports.append($0) }
    return reports
}
