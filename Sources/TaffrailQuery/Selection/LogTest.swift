public import Taffrail
public import TaffrailGeo

/// The test of a condition.
public enum LogTest: Sendable, Hashable {
    /// `level>=warning`: the severity.
    case level(LogComparison, Level)
    /// `level:error,critical`: one of several severities.
    case levels([Level])
    /// `logger:net`: one of these loggers, or one below it (`net.http`).
    case logger([String])
    /// `logger=net`: exactly one of these loggers.
    case exactLogger([String])
    /// `device:ferry,tender*`: one of these devices.
    case device([LogName])
    /// `event:geo.location,geo.*`: one of these event names.
    case event([LogName])
    /// `since:TIME`: at this time or later.
    case since(Timestamp)
    /// `until:TIME`: before this time.
    case until(Timestamp)
    /// `near:55.68,12.57,500m`: logged within this many metres of a place.
    case near(Coordinate, radius: Double)
    /// `box:55.5,12.4,55.8,12.7`: logged within a box (south, west, north, east).
    case box(CoordinateBox)
    /// `"disk full"`: these consecutive words in the message, the event name or an indexed attribute; case is
    /// ignored. With a `*` after it, the last word may continue.
    case text(String, isPrefix: Bool)
    /// `message~"k fu"`: the message contains this; the case of ASCII letters is ignored.
    case message(String)
    /// `trace:4bf92f3577b34da6a3ce929d0e0e4736`: the trace.
    case trace(TraceContext.TraceID)
    /// `span:00f067aa0ba902b7`: the span.
    case span(TraceContext.SpanID)
    /// `run:5f1c…`: the run of the program that logged it, or the batch in which it arrived.
    case run(String)
    /// `status>=500`: an attribute.
    case attribute(String, LogAttributeTest)
}
