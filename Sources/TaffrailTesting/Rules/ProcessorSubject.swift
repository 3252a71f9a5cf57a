public import Taffrail

/// A processor under test, provided to ``ProcessorRule`` by the author of the processor.
///
///     struct RedactionSubject: ProcessorSubject {
///         func makeProcessor() throws -> any Processor { RedactionProcessor(patterns: ["token=\\S+"]) }
///         var affected: [LogRecord] { [LogRecord(level: .info, message: "token=abc")] }
///     }
public protocol ProcessorSubject {
    /// Creates a processor, with the same options each time. Calls after the first represent later runs of a program.
    func makeProcessor() throws -> any Processor

    /// Records that the processor changes or drops, each by itself. Default: none; the rule about them then does not
    /// apply.
    var affected: [LogRecord] { get }
}

extension ProcessorSubject {
    /// None.
    public var affected: [LogRecord] { [] }
}
