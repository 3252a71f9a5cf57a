/// The text format of Prometheus.
package enum PrometheusText {
    /// Returns the value of a label, without its quotes.
    package static func escaped(_ label: String) -> String {
        label.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}
