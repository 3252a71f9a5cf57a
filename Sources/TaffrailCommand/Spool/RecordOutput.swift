#if Command && Configuration
internal import ArgumentParser
internal import Taffrail
internal import TaffrailDelivery

/// Prints records as JSON lines.
struct RecordOutput {
    private enum Ending: Error {
        case enough
        case failed(ExitCode)
    }

    private var encoder = JSONLineEncoder()

    /// Prints a record.
    ///
    /// - Throws: Exit status 74 if it cannot be written; the reason has been printed on stderr.
    mutating func print(_ record: borrowing RecordView) throws(ExitCode) {
        var buffer = LineBuffer()
        encoder.encode(record, into: &buffer)
        let code = StandardStream.write(buffer.bytes, to: 1)
        guard code == 0 else { throw StandardStream.unwritten(code) }
    }

    /// Prints the records of a spool, at most `limit`, and subtracts their number from it.
    ///
    /// - Throws: Exit status 74; the reason has been printed on stderr.
    mutating func print(_ spool: SpoolInspection, limit: inout Int) throws(ExitCode) {
        var failure: SystemError?
        do throws(Ending) {
            try spool.forEach { (record) throws(Ending) in
                guard limit > 0 else { throw .enough }
                limit -= 1
                do throws(ExitCode) { try print(record) } catch { throw .failed(error) }
            } failed: {
                failure = $0
            }
        } catch {
            if case .failed(let status) = error { throw status }
        }
        if let failure { throw ExitCode.inputOutput.reporting(failure) }
    }
}
#endif
