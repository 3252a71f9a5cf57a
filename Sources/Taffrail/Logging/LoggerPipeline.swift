/// The part of a pipeline that log calls use. It is never freed.
protocol LoggerPipeline: AnyObject {
    /// Sets the levels of its loggers once.
    func prepare()
    /// Opens the queue, if it is not open.
    func open()
}
