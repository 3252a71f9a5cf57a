/// The part of a pipeline that log calls use. It is never freed.
protocol LoggerPipeline: AnyObject {
    /// Sets the levels of its loggers once.
    func prepare()
    /// Opens the queue, if it is not open.
    ///
    /// - Parameter first: The time of the record for which it is opened, if it already has one.
    func open(first: Timestamp?)
    /// Counts a backtrace that begins (1) or ends (-1) at a level, and updates the gates of its loggers.
    func lowerGates(to level: Level, by count: Int)
}
