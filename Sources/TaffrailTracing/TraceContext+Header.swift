#if Tracing
public import Taffrail

extension TraceContext {
    /// Reads the value of the header `traceparent` (W3C Trace Context): `00-TRACE-SPAN-FLAGS`. Later versions may be
    /// longer.
    ///
    /// - Returns: `nil` for any other string, and for identities that are zero.
    public init?(traceparent text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        guard parts.count >= 4, parts[0].utf8.count == 2, parts[0] != "ff", parts[0] != "00" || parts.count == 4,
            let trace = TraceContext.TraceID(parts[1]), let span = TraceContext.SpanID(parts[2]),
            let flags = TraceContext.Flags(parts[3]),
            trace.high | trace.low != 0, span.value != 0
        else { return nil }
        self.init(traceID: trace, spanID: span, flags: flags)
    }
}
#endif
