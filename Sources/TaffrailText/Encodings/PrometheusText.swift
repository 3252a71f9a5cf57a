/// A metric in the text format of Prometheus: its help, its type and its samples.
package struct PrometheusText {
    /// The types of metrics.
    package enum Kind: String { case counter, gauge }

    private let name: String
    private let head: String
    private var samples = ""

    /// Whether it has no samples.
    package var isEmpty: Bool { samples.isEmpty }

    /// The lines of the metric, also without samples.
    package var text: String { head + samples }

    /// Creates a metric without samples.
    ///
    /// - Parameters:
    ///   - name: The name, without `taffrail_`.
    ///   - help: One sentence.
    package init(_ name: String, _ kind: Kind, _ help: String) {
        self.name = "taffrail_" + name
        head = "# HELP \(self.name) \(help)\n# TYPE \(self.name) \(kind.rawValue)\n"
    }

    /// Adds a sample.
    package mutating func add(_ labels: [(String, String)], _ value: some BinaryInteger) {
        let list = labels.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
        samples += "\(name)\(labels.isEmpty ? "" : "{\(list)}") \(value)\n"
    }

    /// Returns the value of a label, without its quotes.
    private static func escaped(_ label: String) -> String {
        label.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}
