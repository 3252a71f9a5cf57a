import Glibc
import Taffrail
import TaffrailGeo
import TaffrailServer

/// The form that is fuzzed: `TAFFRAIL_FUZZ`, one of those of `ReceivedBody` after `body-`.
private let form: ReceivedBody = {
    guard let name = getenv("TAFFRAIL_FUZZ"),
        let form = ReceivedBody(rawValue: String(String(cString: name).dropFirst("body-".count)))
    else {
        print("TAFFRAIL_FUZZ must be one of \(ReceivedBody.allCases.map { "body-" + $0.rawValue })")
        exit(64)
    }
    return form
}()

private let arrival = Timestamp(nanoseconds: 1_767_700_000_000_000_000)

/// Reads the bytes as a body. Whatever they are, they are refused, or records with the time of their arrival, whose
/// positions are on the earth.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let body = Array(UnsafeBufferPointer(start: bytes, count: count))
    guard let records = form.records(in: body, at: arrival) else { return 0 }
    let arePositions = [.ping, .overland, .osmand, .osmandJSON].contains(form)
    for record in records {
        precondition(record.timestamp == arrival && record.sequence == 0 && record.run == .none)
        guard arePositions else { continue }
        let location = Location(attributes: record.attributes, received: arrival)
        precondition(record.eventName == "geo.location" && location != nil)
    }
    return 0
}
