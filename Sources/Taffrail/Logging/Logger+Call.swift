// Calls with attributes from variables, and calls that combine a `String` message with an error or such attributes.
//
// One overload of each call for each combination would be dozens. Instead a level's name is also a property, a `Call`,
// that can be called. The compiler considers it last, because it is disfavoured: arguments that a method accepts are
// still passed to the method. Of its two calls that with a `String` is disfavoured again, so that a literal is always a
// `LogMessage`.

extension Logger {
    /// A call at one level, as in `logger.info("listening", ["port": port])`. Not meant to be used by name.
    public struct Call {
        @usableFromInline
        let logger: Logger
        @usableFromInline
        let level: Level

        @inlinable
        init(_ logger: Logger, _ level: Level) {
            self.logger = logger
            self.level = level
        }

        /// Logs a message with attributes from variables.
        @_alwaysEmitIntoClient
        public func callAsFunction(
            _ message: @autoclosure () -> LogMessage, error: @autoclosure () -> (any Error)? = nil,
            _ attributes: @autoclosure () -> LogAttributes.Converted,
            file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
        ) {
            if logger.isEnabled(level) {
                logger.emit(level, message, error, { attributes().attributes }, at: CallSite(file, function, line))
            }
        }

        /// Logs a `String` with an error or attributes from variables.
        @_disfavoredOverload
        @_alwaysEmitIntoClient
        public func callAsFunction(
            _ message: @autoclosure () -> String, error: @autoclosure () -> (any Error)? = nil,
            _ attributes: @autoclosure () -> LogAttributes.Converted = [:],
            file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
        ) {
            if logger.isEnabled(level) {
                logger.emit(
                    level, { LogMessage(message()) }, error, { attributes().attributes },
                    at: CallSite(file, function, line)
                )
            }
        }
    }

    /// A call at a level that is known at run time, as in `logger.log(level: level, "listening", ["port": port])`. Not
    /// meant to be used by name.
    public struct LevelledCall {
        @usableFromInline
        let logger: Logger

        @inlinable
        init(_ logger: Logger) { self.logger = logger }

        /// Logs a message with attributes from variables.
        @_alwaysEmitIntoClient
        public func callAsFunction(
            level: Level, event: StaticString? = nil, _ message: @autoclosure () -> LogMessage,
            error: @autoclosure () -> (any Error)? = nil, _ attributes: @autoclosure () -> LogAttributes.Converted,
            file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
        ) {
            if logger.isEnabled(level) {
                logger.emit(
                    level, message, error, { attributes().attributes }, event: event, at: CallSite(file, function, line)
                )
            }
        }

        /// Logs a `String` with an error or attributes from variables.
        @_disfavoredOverload
        @_alwaysEmitIntoClient
        public func callAsFunction(
            level: Level, event: StaticString? = nil, _ message: @autoclosure () -> String,
            error: @autoclosure () -> (any Error)? = nil,
            _ attributes: @autoclosure () -> LogAttributes.Converted = [:],
            file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
        ) {
            if logger.isEnabled(level) {
                logger.emit(
                    level, { LogMessage(message()) }, error, { attributes().attributes }, event: event,
                    at: CallSite(file, function, line))
            }
        }
    }

    /// The call of level `trace` with attributes from variables.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public var trace: Call { Call(self, .trace) }

    /// The call of level `debug` with attributes from variables.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public var debug: Call { Call(self, .debug) }

    /// The call of level `info` with attributes from variables.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public var info: Call { Call(self, .info) }

    /// The call of level `notice` with attributes from variables.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public var notice: Call { Call(self, .notice) }

    /// The call of level `warning` with attributes from variables.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public var warning: Call { Call(self, .warning) }

    /// The call of level `error` with attributes from variables.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public var error: Call { Call(self, .error) }

    /// The call of level `critical` with attributes from variables.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public var critical: Call { Call(self, .critical) }

    /// The call of any level with attributes from variables.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public var log: LevelledCall { LevelledCall(self) }
}
