import Taffrail
import TaffrailTesting
import Testing

@Suite struct DiagnosticsTests {
    @Test func `control characters of a message are replaced, newlines too`() {
        let captured = CapturedDiagnostics()
        Diagnostics.report("diagnostics test:\r\nforged\u{1B}[31m\u{7F}é\u{9B}1m\u{A0}€")
        #expect(captured.lines(with: "diagnostics test") == ["diagnostics test:  forged [31m é 1m\u{A0}€"])
    }
}
