/// What log calls need from their pipeline. It lives as long as the process.
protocol LoggerPipeline: AnyObject {
    /// Sets the levels of its loggers once.
    func prepare()
    /// Opens the queue, if it is not open.
    func open()
}
