/// The fields by which records are grouped in a histogram.
public enum LogGrouping: String, Sendable, Hashable, CaseIterable { case level, logger, device, event }
