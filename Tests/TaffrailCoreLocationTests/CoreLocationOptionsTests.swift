import Foundation
import Taffrail
import TaffrailCoreLocation
import Testing

@Suite struct CoreLocationOptionsTests {
    @Test func `options have ranges`() throws {
        let read = { (json: String) in try JSONDecoder().decode(CoreLocationOptions.self, from: Data(json.utf8)) }
        #expect(try read("{}").accuracy == 0)
        #expect(try read(#"{"accuracy":10,"distance":5}"#).distance == 5)
        for json in [#"{"accuracy":-1}"#, #"{"distance":100001}"#] {
            #expect(throws: DecodingError.self) { try read(json) }
        }
    }

    #if !canImport(CoreLocation)
    @Test func `where there is no CoreLocation the input is refused by name`() throws {
        var registry = try PluginRegistry()
        try CoreLocationPlugin.register(in: &registry)
        #expect(registry.entries.map(\.name) == ["core-location"])
    }
    #endif
}
