/// What log calls need of the pipeline that their records go to. It lives as long as the process.
protocol LoggerPipeline: AnyObject {
    /// Sets the levels of its loggers, if that has not been done.
    func prepare()
    /// Opens the queue, if it is not open.
    func open()
}
