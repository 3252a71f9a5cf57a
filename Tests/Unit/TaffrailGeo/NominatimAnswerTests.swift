import Taffrail
import TaffrailText
import Testing

@testable import TaffrailGeo

/// What is understood of the answers of Nominatim.
@Suite struct NominatimAnswerTests {
    private func names(_ address: String) throws -> Placemark? {
        try NominatimAnswer.placemark(Array("{\"place_id\":1,\"address\":{\(address)}}".utf8))
    }

    @Test func `country, top-level region, town and postal code are those of the address`() throws {
        let names = try #require(
            try names(
                """
                "suburb": "Quartier", "city": "Paris", "ISO3166-2-lvl6": "FR-75C", "ISO3166-2-lvl4": "FR-IDF",
                "postcode": "75001", "country": "France", "country_code": "fr"
                """))
        #expect(names.countryCode == "FR" && names.regionCode == "FR-IDF")
        #expect(names.locality == "Paris" && names.postalCode == "75001" && names.continentCode == "EU")
    }

    @Test(arguments: [
        ("\"country_code\": \"fr\", \"ISO3166-2-lvl4\": \"FR-971\"", "GP", "NA"),
        ("\"country_code\": \"us\", \"ISO3166-2-lvl4\": \"US-PR\"", "PR", "NA"),
        ("\"country_code\": \"cn\", \"ISO3166-2-lvl3\": \"CN-HK\"", "HK", "AS"),
    ])
    func `a territory with a country code of its own has no region`(address: String, country: String, continent: String)
        throws
    {
        let names = try #require(try names(address))
        #expect(names.countryCode == country && names.regionCode == nil && names.continentCode == continent)
    }

    @Test func `a region of another country is not given`() throws {
        let names = try #require(try names("\"country_code\": \"dk\", \"ISO3166-2-lvl4\": \"SE-M\""))
        #expect(names.countryCode == "DK" && names.regionCode == nil)
    }

    @Test func `a village is the locality where there is no town`() throws {
        let address = "\"country_code\": \"de\", \"hamlet\": \"Hof\", \"village\": \"Dorf\""
        #expect(try names(address)?.locality == "Dorf")
    }

    @Test(arguments: ["{\"error\": \"Unable to geocode\"}", "{\"address\": {\"country\": \"Atlantis\"}}"])
    func `where the server knows nothing there are no names`(body: String) throws {
        #expect(try NominatimAnswer.placemark(Array(body.utf8)) == nil)
    }

    @Test(arguments: ["", "<html>", "[]", "{\"place_id\": 1}", "{\"address\": \"x\"}", "{\"address\": {"])
    func `anything else is an error`(body: String) {
        #expect(throws: ReadError.self) { try NominatimAnswer.placemark(Array(body.utf8)) }
    }
}
