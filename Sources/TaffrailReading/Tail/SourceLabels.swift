internal import Taffrail

/// Prefixes lines with the names of their sources, padded to the widest, each in its own colour.
struct SourceLabels {
    /// Whether there are several sources to distinguish.
    var isShown = false
    private let isColoured: Bool
    private var prefixes: [String: String] = [:]
    private var width = 0

    /// Cyan, green, magenta, blue and their bright forms: none of them represents a level.
    private static let colours = ["36", "32", "35", "34", "96", "92", "95", "94"]

    init(isColoured: Bool) { self.isColoured = isColoured }

    /// Pads to the widest of these names, too.
    mutating func fit(_ labels: some Sequence<String>) {
        for label in labels where label.count > width {
            width = label.count
            prefixes = [:]
        }
    }

    /// Appends the name of a source, which its line follows: `app.log | [2026-01-05 14:30:00.123] [INFO] …`.
    mutating func append(_ label: String, to buffer: inout LineBuffer) { buffer.append(string: prefix(label)) }

    private mutating func prefix(_ label: String) -> String {
        if let known = prefixes[label] { return known }
        fit(CollectionOfOne(label))
        let text = label + String(repeating: " ", count: width - label.count) + " | "
        let prefix = isColoured ? "\u{1b}[\(colour(of: label))m\(text)\u{1b}[0m" : text
        prefixes[label] = prefix
        return prefix
    }

    /// Returns the same colour in every run.
    private func colour(of label: String) -> String {
        let sum = label.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF }
        return Self.colours[sum % Self.colours.count]
    }
}
