import Taffrail
import TaffrailText
import Testing

@Suite struct LogValueJSONTests {
    @Test func `a text that is one value is read`() {
        let text = #" {"a":[1,-2.5,1.0,true,"x"],"b":{"c":null}} "#
        let value: LogValue = .map([
            LogValueEntry("a", [1, -2.5, .double(1), true, "x"]), LogValueEntry("b", .map([LogValueEntry("c", "")])),
        ])
        #expect(LogValue(json: text.utf8) == value)
        #expect(LogValue(json: "12\n".utf8) == 12)
    }

    @Test(arguments: ["", "{", "{} {}", "{}x", "[1,]", "nul"])
    func `any other text is not`(text: String) { #expect(LogValue(json: text.utf8) == nil) }

    @Test func `a value has the contents of its type only`() {
        #expect(LogValue.string("5").text == "5" && LogValue.string("5").number == nil)
        #expect(LogValue.bool(true).flag == true && LogValue.bool(true).integer == nil)
        #expect(LogValue.int(5).integer == 5 && LogValue.int(5).number == 5 && LogValue.int(5).whole == 5)
        #expect(LogValue.int(5).finite == 5 && LogValue.int(5).text == nil && LogValue.int(1).flag == nil)
        #expect(LogValue.double(5).integer == nil && LogValue.double(5).whole == 5)
        #expect(LogValue.double(0.5).number == 0.5 && LogValue.double(0.5).whole == nil)
        #expect(LogValue.double(.infinity).number == .infinity && LogValue.double(.infinity).finite == nil)
        #expect(LogValue.double(.nan).whole == nil && LogValue.array([1]).elements == [1])
        let map = LogValue.map([LogValueEntry("a", 1), LogValueEntry("a", 2)])
        #expect(map["a"] == 1 && map["b"] == nil && map.entries?.count == 2 && LogValue.int(1)["a"] == nil)
    }
}
