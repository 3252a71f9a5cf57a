import FoundationEssentials
import Taffrail
import TaffrailRecording

/// Any file may be in a directory of recordings: it must be listed, checked and read without harm, and its repair must
/// be intact, with every event that the reader could read.
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
        // Whole is also: with the true count, and in the order of their times.
        precondition(repaired.isIntact, "not whole after its repair: \(repaired.problems)")
        precondition(repaired.events == repair.events, "a wrong count of its repair")
        precondition(repaired.events >= report.events, "events were lost: \(report.events) to \(repaired.events)")
        for (before, after, type) in [
            (report.locations, repaired.locations, "positions"), (report.errors, repaired.errors, "errors"),
            (report.logs, repaired.logs, "log records"),
        ] { precondition(after >= before, "\(type) were lost: \(before) to \(after)") }
        let kept = repair.keptAs.flatMap { FileManager.default.contents(atPath: $0) }
        precondition(kept == bytes || repair.keptAs == nil && repair.bytesLost == 0, "the damaged file is gone")
        for name in [repair.keptAs].compactMap(\.self) { try? FileManager.default.removeItem(atPath: name) }
    } catch {
        precondition(error.kind == .unsupportedVersion || error.kind == .malformed, "\(error)")
    }
    return 0
}

private let folder: String = {
    let path = "/dev/shm/taffrail-fuzz-\(ProcessInfo.processInfo.processIdentifier)"
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
}()
