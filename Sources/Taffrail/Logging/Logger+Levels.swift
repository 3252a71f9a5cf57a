// The calls, one for each level. The message is evaluated only where the level is let through.

extension Logger {
    /// Logs a message at a level that is known at run time.
    ///
    /// - Parameters:
    ///   - event: The kind of event that the record stands for, such as `geo.location`.
    @inlinable
    public func log(
        level: Level, event: StaticString? = nil, _ message: @autoclosure () -> LogMessage,
        _ attributes: @autoclosure () -> LogAttributes = [:],
        file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) {
        if isEnabled(level) {
            emit(level, message, attributes, event: event, at: CallSite(file, function, line))
        }
    }

    /// Logs text that exists already, at a level that is known at run time.
    @_disfavoredOverload
    @inlinable
    public func log(
        level: Level, event: StaticString? = nil, _ message: @autoclosure () -> String,
        _ attributes: @autoclosure () -> LogAttributes = [:],
        file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) {
        if isEnabled(level) {
            emit(
                level, { LogMessage(message()) }, attributes, event: event, at: CallSite(file, function, line))
        }
    }

    /// Logs step-by-step detail.
    @inlinable
    public func trace(
        _ message: @autoclosure () -> LogMessage, _ attributes: @autoclosure () -> LogAttributes = [:],
        file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) {
        if isEnabled(.trace) {
            emit(.trace, message, attributes, at: CallSite(file, function, line))
        }
    }

    /// Logs step-by-step detail, as text that exists already.
    @_disfavoredOverload
    @inlinable
    public func trace(
        _ message: @autoclosure () -> String, _ attributes: @autoclosure () -> LogAttributes = [:],
        file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) {
        if isEnabled(.trace) {
            emit(.trace, { LogMessage(message()) }, attributes, at: CallSite(file, function, line))
        }
    }

    /// Logs a development diagnostic.
    @inlinable
    public func debug(
        _ message: @autoclosure () -> LogMessage, _ attributes: @autoclosure () -> LogAttributes = [:],
        file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) {
        if isEnabled(.debug) {
            emit(.debug, message, attributes, at: CallSite(file, function, line))
        }
    }

    /// Logs a development diagnostic, as text that exists already.
    @_disfavoredOverload
    @inlinable
    public func debug(
        _ message: @autoclosure () -> String, _ attributes: @autoclosure () -> LogAttributes = [:],
        file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) {
        if isEnabled(.debug) {
            emit(.debug, { LogMessage(message()) }, attributes, at: CallSite(file, function, line))
        }
    }

    /// Logs general information.
    @inlinable
    public func info(
        _ message: @autoclosure () -> LogMessage, _ attributes: @autoclosure () -> LogAttributes = [:],
        file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) {
        if isEnabled(.info) {
            emit(.info, message, attributes, at: CallSite(file, function, line))
        }
    }

    /// Logs general information, as text that exists already.
    @_disfavoredOverload
    @inlinable
    public func info(
        _ message: @autoclosure () -> String, _ attributes: @autoclosure () -> LogAttributes = [:],
        file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) {
        if isEnabled(.info) {
            emit(.info, { LogMessage(message()) }, attributes, at: CallSite(file, function, line))
        }
    }

    /// Logs something normal that deserves a second look.
    @inlinable
    public func notice(
        _ message: @autoclosure () -> LogMessage, _ attributes: @autoclosure () -> LogAttributes = [:],
        file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) {
        if isEnabled(.notice) {
            emit(.notice, message, attributes, at: CallSite(file, function, line))
        }
    }

    /// Logs something normal that deserves a second look, as text that exists already.
    @_disfavoredOverload
    @inlinable
    public func notice(
        _ message: @autoclosure () -> String, _ attributes: @autoclosure () -> LogAttributes = [:],
        file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) {
        if isEnabled(.notice) {
            emit(.notice, { LogMessage(message()) }, attributes, at: CallSite(file, function, line))
        }
    }

    /// Logs something unexpected that was handled.
    @inlinable
    public func warning(
        _ message: @autoclosure () -> LogMessage, _ attributes: @autoclosure () -> LogAttributes = [:],
        file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) {
        if isEnabled(.warning) {
            emit(.warning, message, attributes, at: CallSite(file, function, line))
        }
    }

    /// Logs something unexpected that was handled, as text that exists already.
    @_disfavoredOverload
    @inlinable
    public func warning(
        _ message: @autoclosure () -> String, _ attributes: @autoclosure () -> LogAttributes = [:],
        file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) {
        if isEnabled(.warning) {
            emit(
                .warning, { LogMessage(message()) }, attributes, at: CallSite(file, function, line))
        }
    }

    /// Logs a failure after which the program goes on.
    @inlinable
    public func error(
        _ message: @autoclosure () -> LogMessage, _ attributes: @autoclosure () -> LogAttributes = [:],
        file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) {
        if isEnabled(.error) {
            emit(.error, message, attributes, at: CallSite(file, function, line))
        }
    }

    /// Logs a failure after which the program goes on, as text that exists already.
    @_disfavoredOverload
    @inlinable
    public func error(
        _ message: @autoclosure () -> String, _ attributes: @autoclosure () -> LogAttributes = [:],
        file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) {
        if isEnabled(.error) {
            emit(.error, { LogMessage(message()) }, attributes, at: CallSite(file, function, line))
        }
    }

    /// Logs that the program, or a part of it, cannot go on.
    @inlinable
    public func critical(
        _ message: @autoclosure () -> LogMessage, _ attributes: @autoclosure () -> LogAttributes = [:],
        file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) {
        if isEnabled(.critical) {
            emit(.critical, message, attributes, at: CallSite(file, function, line))
        }
    }

    /// Logs that the program, or a part of it, cannot go on, as text that exists already.
    @_disfavoredOverload
    @inlinable
    public func critical(
        _ message: @autoclosure () -> String, _ attributes: @autoclosure () -> LogAttributes = [:],
        file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) {
        if isEnabled(.critical) {
            emit(
                .critical, { LogMessage(message()) }, attributes, at: CallSite(file, function, line))
        }
    }
}
