extension Logger {
    /// Logs a record from elsewhere if the queue has room for it now, regardless of levels.
    ///
    /// For an input whose source keeps refused records and sends them again: unlike a log call, it never waits for
    /// room, and a refused record is not counted as dropped. Otherwise as ``log(_:ambient:)`` without ambient
    /// attributes, and without those, the trace and the backtrace of the task: the record keeps its timestamp, source,
    /// event name and logger's name, and no logger is created for that name. If no queue is open, the call opens one.
    ///
    /// - Returns: Whether the queue has the record, or the configuration keeps it out of the queue. `false`: nothing was
    ///   logged; offer it again later.
    public func offer(_ record: LogRecord) -> Bool { admit(offered: record) != .dropped }

    /// Offers a record as ``offer(_:)`` does and returns the outcome.
    package func admit(offered record: LogRecord) -> Admission {
        resolved.log(record, bound: bound, ignoresLevel: true, ambient: false, waiting: .never)
    }
}
