package import Taffrail

extension PrivacyFilter {
    /// The names of attributes that make a place of others.
    package static let watchedNames: Set<String> = [GeoAttributes.latitude, GeoAttributes.longitude]

    /// What remains of a place in a zone whose action is to coarsen: nothing that says where, or how fast.
    private static let harmless: Set<String> = Set(
        [GeoAttributes.Name.time, .noTime, .simulated, .accessory, .uptime].map(\.text))

    /// Attributes as they may be logged and recorded: no place in a zone, all others cut to the precision.
    ///
    /// Where the place is hidden, or no place can be made of the attributes, all whose names begin with `geo.` or
    /// `taffrail.geo.` are removed, because a locality or an altitude tells a home as well.
    ///
    /// - Returns: ``Verdict/drop`` for a record that is nothing but a hidden position.
    package func review(_ subject: inout GuardedAttributes) -> Verdict {
        if isEmpty { return .keep }
        let before = subject.attributes
        // Only one of each can be judged.
        for name in Self.watchedNames { subject.attributes.removeAll(but: name) }
        let isPosition = subject.eventName == GeoAttributes.locationEvent
        guard let place = Location(attributes: subject.attributes, received: Timestamp(nanoseconds: 0)) else {
            subject.attributes.removeAll { Self.isGeographic($0.key) }
            return .keep
        }
        guard let filtered = filtered(place) else {
            subject.attributes.removeAll { Self.isGeographic($0.key) }
            return isPosition ? .drop : .keep
        }
        if filtered != place {
            for index in subject.attributes.indices {
                switch subject.attributes[index].key {
                case GeoAttributes.latitude: subject.attributes[index].value = .double(filtered.coordinate.latitude)
                case GeoAttributes.longitude: subject.attributes[index].value = .double(filtered.coordinate.longitude)
                default: continue
                }
            }
        }
        if isInZone(place) {
            subject.attributes.removeAll { entry in
                Self.isGeographic(entry.key) && !Self.watchedNames.contains(entry.key)
                    && !Self.harmless.contains(entry.key)
            }
            if let accuracy = filtered.horizontalAccuracy {
                subject.attributes.append(LogValueEntry(GeoAttributes.Name.horizontalAccuracy.text, .double(accuracy)))
            }
        }
        // The text of such a record is its position.
        if isPosition && subject.attributes != before { subject.message = filtered.summary }
        return .keep
    }

    private static func isGeographic(_ name: String) -> Bool {
        name.hasPrefix("geo.") || name.hasPrefix("taffrail.geo.")
    }
}

extension [LogValueEntry] {
    /// Removes all entries of a name but the first.
    fileprivate mutating func removeAll(but name: String) {
        guard let first = firstIndex(where: { $0.key == name }) else { return }
        for index in indices.dropFirst(first + 1).reversed() where self[index].key == name { remove(at: index) }
    }
}
