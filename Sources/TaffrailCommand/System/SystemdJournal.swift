#if Journald
/// libsystemd's functions for reading the journal.
struct SystemdJournal {
    typealias Open = @convention(c) (UnsafeMutablePointer<OpaquePointer?>, UnsafePointer<CChar>?, CInt) -> CInt
    typealias Plain = @convention(c) (OpaquePointer) -> CInt
    typealias Close = @convention(c) (OpaquePointer) -> Void
    typealias AddMatch = @convention(c) (OpaquePointer, UnsafeRawPointer, Int) -> CInt
    typealias SetSize = @convention(c) (OpaquePointer, Int) -> CInt
    typealias SeekTime = @convention(c) (OpaquePointer, UInt64) -> CInt
    typealias GetTime = @convention(c) (OpaquePointer, UnsafeMutablePointer<UInt64>) -> CInt
    typealias NextData =
        @convention(c) (OpaquePointer, UnsafeMutablePointer<UnsafeRawPointer?>, UnsafeMutablePointer<Int>) -> CInt

    let open: Open
    let close: Close
    let addMatch: AddMatch
    let setDataThreshold: SetSize
    let seekHead: Plain
    let seekTail: Plain
    let seekTime: SeekTime
    let next: Plain
    let previous: Plain
    let restartData: Close
    let nextData: NextData
    let time: GetTime
    let descriptor: Plain
    let process: Plain

    /// Loads the functions; `nil` if the library is not installed.
    init?() {
        func function<F>(_ name: String, _ type: F.Type) -> F? {
            SystemdLibrary.function("sd_journal_" + name, type)
        }
        guard let open = function("open_namespace", Open.self), let close = function("close", Close.self),
            let addMatch = function("add_match", AddMatch.self),
            let setDataThreshold = function("set_data_threshold", SetSize.self),
            let seekHead = function("seek_head", Plain.self), let seekTail = function("seek_tail", Plain.self),
            let seekTime = function("seek_realtime_usec", SeekTime.self), let next = function("next", Plain.self),
            let previous = function("previous", Plain.self), let restartData = function("restart_data", Close.self),
            let nextData = function("enumerate_available_data", NextData.self)
                ?? function("enumerate_data", NextData.self),
            let time = function("get_realtime_usec", GetTime.self), let descriptor = function("get_fd", Plain.self),
            let process = function("process", Plain.self)
        else { return nil }
        self.open = open
        self.close = close
        self.addMatch = addMatch
        self.setDataThreshold = setDataThreshold
        self.seekHead = seekHead
        self.seekTail = seekTail
        self.seekTime = seekTime
        self.next = next
        self.previous = previous
        self.restartData = restartData
        self.nextData = nextData
        self.time = time
        self.descriptor = descriptor
        self.process = process
    }
}
#endif
