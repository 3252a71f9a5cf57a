// The calls with an error, one for each level. Below the level no argument is evaluated.

extension Logger {
    /// Logs a message and an error at a level that is known at run time, with the error as the attributes `error` and
    /// `error.type`; `nil` adds nothing.
    @_alwaysEmitIntoClient
    public func log(
        level: Level, event: StaticString? = nil, _ message: @autoclosure () -> LogMessage,
        error: @autoclosure () -> (any Error)?, _ attributes: @autoclosure () -> LogAttributes = [:],
        file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) {
        if isEnabled(level) {
            emit(level, message, error, attributes, event: event, at: CallSite(file, function, line))
        }
    }

    /// Logs step-by-step detail, with the error as the attributes `error` and `error.type`.
    @_alwaysEmitIntoClient
    public func trace(
        _ message: @autoclosure () -> LogMessage, error: @autoclosure () -> (any Error)?,
        _ attributes: @autoclosure () -> LogAttributes = [:],
        file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) {
        if isEnabled(.trace) { emit(.trace, message, error, attributes, at: CallSite(file, function, line)) }
    }

    /// Logs a development diagnostic, with the error as the attributes `error` and `error.type`.
    @_alwaysEmitIntoClient
    public func debug(
        _ message: @autoclosure () -> LogMessage, error: @autoclosure () -> (any Error)?,
        _ attributes: @autoclosure () -> LogAttributes = [:],
        file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) {
        if isEnabled(.debug) { emit(.debug, message, error, attributes, at: CallSite(file, function, line)) }
    }

    /// Logs general information, with the error as the attributes `error` and `error.type`.
    @_alwaysEmitIntoClient
    public func info(
        _ message: @autoclosure () -> LogMessage, error: @autoclosure () -> (any Error)?,
        _ attributes: @autoclosure () -> LogAttributes = [:],
        file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) {
        if isEnabled(.info) { emit(.info, message, error, attributes, at: CallSite(file, function, line)) }
    }

    /// Logs a normal but significant event, with the error as the attributes `error` and `error.type`.
    @_alwaysEmitIntoClient
    public func notice(
        _ message: @autoclosure () -> LogMessage, error: @autoclosure () -> (any Error)?,
        _ attributes: @autoclosure () -> LogAttributes = [:],
        file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) {
        if isEnabled(.notice) { emit(.notice, message, error, attributes, at: CallSite(file, function, line)) }
    }

    /// Logs an unexpected condition that was handled, with the error as the attributes `error` and `error.type`.
    @_alwaysEmitIntoClient
    public func warning(
        _ message: @autoclosure () -> LogMessage, error: @autoclosure () -> (any Error)?,
        _ attributes: @autoclosure () -> LogAttributes = [:],
        file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) {
        if isEnabled(.warning) { emit(.warning, message, error, attributes, at: CallSite(file, function, line)) }
    }

    /// Logs a failure of an operation; the program continues, with the error as the attributes `error` and `error.type`.
    @_alwaysEmitIntoClient
    public func error(
        _ message: @autoclosure () -> LogMessage, error: @autoclosure () -> (any Error)?,
        _ attributes: @autoclosure () -> LogAttributes = [:],
        file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) {
        if isEnabled(.error) { emit(.error, message, error, attributes, at: CallSite(file, function, line)) }
    }

    /// Logs a failure that stops the program or a part of it, with the error as the attributes `error` and `error.type`.
    @_alwaysEmitIntoClient
    public func critical(
        _ message: @autoclosure () -> LogMessage, error: @autoclosure () -> (any Error)?,
        _ attributes: @autoclosure () -> LogAttributes = [:],
        file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) {
        if isEnabled(.critical) { emit(.critical, message, error, attributes, at: CallSite(file, function, line)) }
    }

    // Not optimized: otherwise the compiler would specialize what it calls for its closure, which adds 8 kB.
    @usableFromInline
    @inline(never)
    @_optimize(none)
    func emit(
        _ level: Level, _ message: () -> LogMessage, _ error: () -> (any Error)?, _ attributes: () -> LogAttributes,
        event: StaticString? = nil, at site: CallSite
    ) {
        emit(
            level, message,
            { if let error = error() { LogAttributes(attributes, error: error) } else { attributes() } },
            event: event, at: site)
    }
}
