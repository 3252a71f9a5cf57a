#if Command && Store
import ArgumentParser
import TaffrailQuery
import TaffrailRecording
import Testing

@testable import Taffrail
@testable import TaffrailCommand
@testable import TaffrailStore

/// An error has the same exit status in each command: that of sysexits.h.
@Suite struct ErrorExitStatusTests {
    @Test(arguments: [
        (RecordingError.Kind.missing, 66), (.denied, 77), (.taken, 73), (.full, 74), (.busy, 74), (.system, 74),
        (.malformed, 65), (.unsupportedVersion, 65),
    ]) func `the error of a recording has an exit status`(kind: RecordingError.Kind, code: Int) {
        #expect(ExitCode(RecordingError(kind, path: "drive.json", reason: "")).rawValue == CInt(code))
    }

    @Test(arguments: [
        (RecordingError.Kind.missing, 73), (.denied, 73), (.taken, 73), (.busy, 73), (.full, 74), (.system, 74),
    ]) func `a new file that cannot be created has an exit status`(kind: RecordingError.Kind, code: Int) {
        #expect(ExitCode(writing: RecordingError(kind, path: "drive.json", reason: "")).rawValue == CInt(code))
    }

    @Test(arguments: [("drive.gpx", 77), ("drive.json", 73)])
    func `the error of a conversion has the exit status of the file that it names`(path: String, code: Int) {
        let error = RecordingError(.denied, path: path, reason: "")
        #expect(ExitCode(error, writing: "drive.json").rawValue == CInt(code))
    }

    @Test(arguments: [(Errno.missing, 66), (Errno.accessDenied, 77), (Errno.inputOutput, 74)])
    func `a file that cannot be read has an exit status`(error: CInt, code: Int) {
        #expect(ExitCode(reading: SystemError("open drive.gpx", code: error)).rawValue == CInt(code))
    }

    @Test(arguments: [
        (StoreError.Kind.missing, 66), (.denied, 77), (.corrupt, 65), (.newer, 65), (.foreign, 65), (.busy, 74),
        (.full, 74), (.other, 74),
    ]) func `the error of a store has an exit status`(kind: StoreError.Kind, code: Int) {
        #expect(ExitCode(StoreError(kind, "")).rawValue == CInt(code))
    }

    @Test(arguments: [
        (LogQueryError.Kind.missing, 66), (.invalid, 65), (.unreadable, 65), (.unavailable, 74), (.tooLong, 74),
    ]) func `the error of a query has an exit status`(kind: LogQueryError.Kind, code: Int) {
        #expect(ExitCode(LogQueryError(kind, "")).rawValue == CInt(code))
    }
}
#endif
