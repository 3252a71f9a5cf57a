import Taffrail
import TaffrailRedaction
import TaffrailTesting
import Testing

@Suite struct RedactionTests {
    @Test(arguments: [
        ("token=\\S+", "got token=abc.def, token=x", "got <redacted> <redacted>"),
        ("\\b\\d{16}\\b", "card 1234567812345678.", "card <redacted>."),
        ("(?i)secret", "a SeCrEt", "a <redacted>"),
        ("pin|puk", "pin and puk", "<redacted> and <redacted>"),
        ("ab*c", "ac abbbc abd", "<redacted> <redacted> abd"),
        ("π=\\d", "π=3 ok", "<redacted> ok"),
        // A brace that is not part of a quantifier is a character.
        ("{\"pin\":\\d+}", "got {\"pin\":12}.", "got <redacted>."),
        ("\\{\"pin\":\\d+\\}", "got {\"pin\":12}.", "got <redacted>."),
    ]) func `matches of a pattern are replaced, everything else stays`(pattern: String, text: String, result: String) {
        var redaction = RedactionProcessor(RedactionOptions(patterns: [pattern]))
        let record = LogRecord(
            sequence: 9, level: .info, message: text, eventName: text,
            attributes: [
                LogValueEntry("text", .string(text)), LogValueEntry("number", 5),
                LogValueEntry("nested", ["list": [.string(text), 7]]),
            ])
        let changed = redaction.outcome(of: [record])
        var expected = record
        expected.message = result
        expected.eventName = result
        expected.attributes[0].value = .string(result)
        expected.attributes[2].value = ["list": [.string(result), 7]]
        #expect(changed == [expected])
    }

    @Test func `values of secret keys are replaced, in any case and inside maps`() {
        var redaction = RedactionProcessor(RedactionOptions(keys: ["Password"], replacement: "***"))
        let record = LogRecord(
            level: .info, message: "password",
            attributes: [
                LogValueEntry("PASSWORD", 5), LogValueEntry("passwords", 6),
                LogValueEntry("user", ["password": [1, 2], "name": "ada"]),
            ])
        let kept = redaction.outcome(of: [record])
        #expect(kept.first?.message == "password")
        #expect(
            kept.first?.attributes == [
                LogValueEntry("PASSWORD", "***"), LogValueEntry("passwords", 6),
                LogValueEntry("user", ["password": "***", "name": "ada"]),
            ])
        #expect(redaction.redactedKeys == ["password"])
    }

    @Test func `a record without attributes that cannot match is not copied`() {
        var redaction = RedactionProcessor(RedactionOptions(patterns: ["token=\\S+"]))
        func inspection(_ record: LogRecord) -> Inspection? {
            var buffer = RecordBuffer()
            buffer.append(record)
            var result: Inspection?
            buffer.withBatch { $0.forEach { result = redaction.inspect($0) } }
            return result
        }
        #expect(inspection(LogRecord(level: .info, message: "nothing here, tokens")) == .keep)
        #expect(inspection(LogRecord(level: .info, message: "a token=1")) == .change)
        #expect(
            inspection(LogRecord(level: .info, message: "", attributes: [LogValueEntry("a", 1)])) == .change)
    }
}
