internal import Taffrail

extension PrivacyZone: Decodable {
    private enum CodingKeys: String, CodingKey, CaseIterable { case place, latitude, longitude, radius, action }

    /// Decodes a zone: the name of a place in the section `places`, or a circle.
    public init(from decoder: any Decoder) throws {
        let options = try decoder.container(keyedBy: CodingKeys.self)
        if let name: String = try options.value(.place) {
            for key in [CodingKeys.latitude, .longitude, .radius] where options.contains(key) {
                throw options.problem(key, "a zone has either a place or a circle")
            }
            let place = try PlacesOptions.place(named: name, in: decoder) { options.problem(.place, $0) }
            (center, radius) = (place.center, place.radius)
        } else {
            (center, radius) = try options.circle(.latitude, .longitude, .radius)
        }
        let text: String = try options.value(.action, or: Action.drop.rawValue)
        guard let action = Action(rawValue: text) else {
            throw options.problem(.action, "must be one of drop, coarsen, not \"\(text)\"")
        }
        self.action = action
    }
}
