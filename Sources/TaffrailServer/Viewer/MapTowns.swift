internal import Taffrail
package import TaffrailGeo
internal import TaffrailQuery
internal import TaffrailText

/// The names of towns on the map. They contain no received data.
package struct MapTowns: Sendable {
    private let geocoder: OfflineGeocoder

    /// Creates names from a geocoder's database.
    package init(_ geocoder: OfflineGeocoder) { self.geocoder = geocoder }

    /// The towns of the database at the standard path; `nil` if there is none. An unreadable one is reported.
    package static var standard: MapTowns? {
        let path = OfflineGeocoder.standardPath
        guard FileName.exists(path) else { return nil }
        do { return MapTowns(try OfflineGeocoder(path: path)) } catch {
            Diagnostics.report("the map shows no names of towns: \(error)")
            return nil
        }
    }

    /// The path. Its parameter `box` contains south, west, north and east in degrees.
    static let path = "/towns"
    /// The maximum number of names in a response.
    private static let most = 300

    /// Returns the most populous towns in the box of a request, in descending order.
    func answer(to request: ServerRequest) -> ServerAnswer {
        guard let box = request.target.parameter("box").flatMap({ CoordinateBox($0) }) else { return Self.malformed }
        let towns = geocoder.towns(in: box, limit: Self.most).map { town in
            LogValue.map([
                LogValueEntry("name", .string(town.name)), LogValueEntry("lat", .double(town.coordinate.latitude)),
                LogValueEntry("lon", .double(town.coordinate.longitude)),
            ])
        }
        return Self.answer(towns, origin: String(geocoder.notes.prefix { $0 != "\n" }.prefix(200)))
    }

    /// The response without a database, which is not an error for the page.
    static let none = answer([], origin: "")

    private static func answer(_ towns: [LogValue], origin: String) -> ServerAnswer {
        var answer = ServerAnswer.json([
            LogValueEntry("towns", .array(towns)), LogValueEntry("attribution", .string(origin)),
        ])
        answer.headers = [
            ("content-type", "application/json"), ("cache-control", "private, max-age=3600"),
            ("x-content-type-options", "nosniff"),
        ]
        return answer
    }

    private static var malformed: ServerAnswer {
        Problem(400, "box takes south, west, north and east in degrees, such as 55.5,12.4,55.8,12.7").answer
    }
}
