#if Command
internal import ArgumentParser
internal import Taffrail
internal import TaffrailRecording
#if Store
internal import TaffrailQuery
internal import TaffrailStore
#endif

/// The exit statuses of errors: what is true of an input is true for each command that reads it.
extension ExitCode {
    /// The exit status of an error in reading or editing a recording or track.
    init(_ error: RecordingError) {
        switch error.kind {
        case .missing: self = .noInput
        case .denied: self = .noPermission
        case .taken: self = .cannotCreate
        case .malformed, .unsupportedVersion: self = .dataError
        case .full, .busy, .system: self = .inputOutput
        }
    }

    /// The exit status of an error in writing a new file, whatever keeps it from being created.
    init(writing error: RecordingError) {
        switch error.kind {
        case .missing, .denied, .taken, .busy: self = .cannotCreate
        case .malformed, .unsupportedVersion: self = .dataError
        case .full, .system: self = .inputOutput
        }
    }

    /// The exit status of an error in reading files and writing a new one from them.
    init(_ error: RecordingError, writing output: String) {
        self = error.path == output ? ExitCode(writing: error) : ExitCode(error)
    }

    /// The exit status of an error in reading a file.
    init(reading error: SystemError) {
        self = error.isMissing ? .noInput : error.isDenied ? .noPermission : .inputOutput
    }

    #if Store
    /// The exit status of an error of a store.
    init(_ error: StoreError) {
        switch error.kind {
        case .missing: self = .noInput
        case .denied: self = .noPermission
        case .corrupt, .newer, .foreign: self = .dataError
        case .busy, .full, .other: self = .inputOutput
        }
    }

    /// The exit status of an error of a query.
    init(_ error: LogQueryError) {
        switch error.kind {
        case .missing: self = .noInput
        case .invalid, .unreadable: self = .dataError
        case .unavailable, .tooLong: self = .inputOutput
        }
    }
    #endif

    /// Prints an error, which may begin with a file name and a line, and returns the exit status.
    func reporting(_ error: RecordingError) -> ExitCode {
        StandardStream.report("\(error)", isPrefixed: error.line == nil)
        return self
    }
}
#endif
