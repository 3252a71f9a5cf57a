// The calls, one for each level. Below the level the message is not evaluated.
//
// They are compiled into their callers only (`@_alwaysEmitIntoClient`), because the core has none.

extension Logger {
    /// Logs a message at a level that is known at run time.
    ///
    /// - Parameters:
    ///   - level: The level of the record.
    ///   - event: The event name, such as `geo.location`.
    ///   - message: Evaluated only if the level is enabled.
    ///   - attributes: Evaluated only if the level is enabled. Default: none.
    ///   - file: The source file; omitted by callers.
    ///   - function: The function; omitted by callers.
    ///   - line: The line; omitted by callers.
    @_alwaysEmitIntoClient
    public func log(
        level: Level, event: StaticString? = nil, _ message: @autoclosure () -> LogMessage,
        _ attributes: @autoclosure () -> LogAttributes = [:],
        file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) {
        if isEnabled(level) { emit(level, message, attributes, event: event, at: CallSite(file, function, line)) }
    }

    /// Logs a `String` at a level that is known at run time.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func log(
        level: Level, event: StaticString? = nil, _ message: @autoclosure () -> String,
        _ attributes: @autoclosure () -> LogAttributes = [:],
        file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) {
        if isEnabled(level) {
            emit(level, { LogMessage(message()) }, attributes, event: event, at: CallSite(file, function, line))
        }
    }

    /// Logs step-by-step detail.
    @_alwaysEmitIntoClient
    public func trace(
        _ message: @autoclosure () -> LogMessage, _ attributes: @autoclosure () -> LogAttributes = [:],
        file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) {
        if isEnabled(.trace) { emit(.trace, message, attributes, at: CallSite(file, function, line)) }
    }

    /// Logs step-by-step detail, from a `String`.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func trace(
        _ message: @autoclosure () -> String, _ attributes: @autoclosure () -> LogAttributes = [:],
        file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) {
        if isEnabled(.trace) { emit(.trace, { LogMessage(message()) }, attributes, at: CallSite(file, function, line)) }
    }

    /// Logs a development diagnostic.
    @_alwaysEmitIntoClient
    public func debug(
        _ message: @autoclosure () -> LogMessage, _ attributes: @autoclosure () -> LogAttributes = [:],
        file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) {
        if isEnabled(.debug) { emit(.debug, message, attributes, at: CallSite(file, function, line)) }
    }

    /// Logs a development diagnostic, from a `String`.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func debug(
        _ message: @autoclosure () -> String, _ attributes: @autoclosure () -> LogAttributes = [:],
        file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) {
        if isEnabled(.debug) { emit(.debug, { LogMessage(message()) }, attributes, at: CallSite(file, function, line)) }
    }

    /// Logs general information.
    @_alwaysEmitIntoClient
    public func info(
        _ message: @autoclosure () -> LogMessage, _ attributes: @autoclosure () -> LogAttributes = [:],
        file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) {
        if isEnabled(.info) { emit(.info, message, attributes, at: CallSite(file, function, line)) }
    }

    /// Logs general information, from a `String`.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func info(
        _ message: @autoclosure () -> String, _ attributes: @autoclosure () -> LogAttributes = [:],
        file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) {
        if isEnabled(.info) { emit(.info, { LogMessage(message()) }, attributes, at: CallSite(file, function, line)) }
    }

    /// Logs a normal but significant event.
    @_alwaysEmitIntoClient
    public func notice(
        _ message: @autoclosure () -> LogMessage, _ attributes: @autoclosure () -> LogAttributes = [:],
        file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) {
        if isEnabled(.notice) { emit(.notice, message, attributes, at: CallSite(file, function, line)) }
    }

    /// Logs a normal but significant event, from a `String`.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func notice(
        _ message: @autoclosure () -> String, _ attributes: @autoclosure () -> LogAttributes = [:],
        file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) {
        if isEnabled(.notice) {
            emit(.notice, { LogMessage(message()) }, attributes, at: CallSite(file, function, line))
        }
    }

    /// Logs an unexpected condition that was handled.
    @_alwaysEmitIntoClient
    public func warning(
        _ message: @autoclosure () -> LogMessage, _ attributes: @autoclosure () -> LogAttributes = [:],
        file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) {
        if isEnabled(.warning) { emit(.warning, message, attributes, at: CallSite(file, function, line)) }
    }

    /// Logs an unexpected condition that was handled, from a `String`.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func warning(
        _ message: @autoclosure () -> String, _ attributes: @autoclosure () -> LogAttributes = [:],
        file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) {
        if isEnabled(.warning) {
            emit(.warning, { LogMessage(message()) }, attributes, at: CallSite(file, function, line))
        }
    }

    /// Logs a failure of an operation; the program continues.
    @_alwaysEmitIntoClient
    public func error(
        _ message: @autoclosure () -> LogMessage, _ attributes: @autoclosure () -> LogAttributes = [:],
        file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) {
        if isEnabled(.error) { emit(.error, message, attributes, at: CallSite(file, function, line)) }
    }

    /// Logs a failure of an operation; the program continues, from a `String`.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func error(
        _ message: @autoclosure () -> String, _ attributes: @autoclosure () -> LogAttributes = [:],
        file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) {
        if isEnabled(.error) { emit(.error, { LogMessage(message()) }, attributes, at: CallSite(file, function, line)) }
    }

    /// Logs a failure that stops the program or a part of it.
    @_alwaysEmitIntoClient
    public func critical(
        _ message: @autoclosure () -> LogMessage, _ attributes: @autoclosure () -> LogAttributes = [:],
        file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) {
        if isEnabled(.critical) { emit(.critical, message, attributes, at: CallSite(file, function, line)) }
    }

    /// Logs a failure that stops the program or a part of it, from a `String`.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func critical(
        _ message: @autoclosure () -> String, _ attributes: @autoclosure () -> LogAttributes = [:],
        file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) {
        if isEnabled(.critical) {
            emit(.critical, { LogMessage(message()) }, attributes, at: CallSite(file, function, line))
        }
    }
}
