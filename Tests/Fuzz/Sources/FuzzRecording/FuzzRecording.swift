import FoundationEssentials
import Taffrail
import TaffrailGeo

/// What may lie in a folder of recordings: any file must be listed, checked and read without harm, and be whole after
/// its repair with every event that the reader could read.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRecording(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let path = folder + "/fuzz.json"
    let bytes = Data(UnsafeBufferPointer(start: start, count: count))
    guard (try? bytes.write(to: URL(filePath: path))) != nil else { return 0 }
    let manager = RecordingManager(directory: URL(filePath: folder))
    _ = manager.listRecordings()
    let report: RecordingReport
    do throws(RecordingError) { report = try RecordingReport(checking: path) } catch { return 0 }
    do throws(RecordingError) {
        let repair = try RecordingRepair(of: path)
        let repaired = try RecordingReport(checking: path)
        // Events that lie in the wrong order stay so.
        precondition(!repaired.isDamaged, "damaged after its repair: \(repaired.problems)")
        precondition(repaired.metadata?.eventCount == repaired.events, "a wrong count after its repair")
        // Events of a type that is not known are not salvaged; the damaged file, which has them, is kept.
        let (before, after) = (known(report), known(repaired))
        precondition(after >= before, "events were lost: \(before) to \(after)")
        for name in [repair.keptAs].compactMap(\.self) { try? FileManager.default.removeItem(atPath: name) }
    } catch {
        precondition(error.kind == .unsupportedVersion || error.kind == .malformed, "\(error)")
    }
    return 0
}

private func known(_ report: RecordingReport) -> Int { report.locations + report.errors + report.logs }

private let folder: String = {
    let path = "/dev/shm/taffrail-fuzz-\(ProcessInfo.processInfo.processIdentifier)"
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
}()
