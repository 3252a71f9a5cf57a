package import Taffrail

extension PrivacyFilter {
    /// The names of the attributes that form a position.
    package static let watchedNames: Set<String> = [GeoAttributes.latitude, GeoAttributes.longitude]

    /// The attributes of a position that remain in a zone with action coarsen: nothing about location or speed.
    private static let harmless: Set<String> = Set(
        [LocationField.time, .hasNoTime, .isSimulatedBySoftware, .isProducedByAccessory, .uptime].map(\.attribute))

    /// Filters attributes for logging and recording: hides positions in a zone, and rounds all others to the
    /// precision.
    ///
    /// If the position is hidden, or the attributes do not form a valid position, all attributes whose names start with
    /// `geo.` or `taffrail.geo.` are removed, because a locality or an altitude may reveal a home as well.
    ///
    /// - Returns: ``Verdict/drop`` for a record that consists of a hidden position.
    package func review(_ subject: inout GuardedAttributes) -> Verdict {
        if isEmpty { return .keep }
        let before = subject.attributes
        // Duplicates cannot be checked.
        for name in Self.watchedNames { subject.attributes.removeAll(but: name) }
        let isPosition = subject.eventName == GeoAttributes.locationEvent
        guard let location = Location(attributes: subject.attributes, received: Timestamp(nanoseconds: 0)) else {
            subject.attributes.removeAll { Self.isGeographic($0.key) }
            return .keep
        }
        guard let filtered = filtered(location) else {
            subject.attributes.removeAll { Self.isGeographic($0.key) }
            return isPosition ? .drop : .keep
        }
        if filtered != location {
            for index in subject.attributes.indices {
                switch subject.attributes[index].key {
                case GeoAttributes.latitude: subject.attributes[index].value = .double(filtered.coordinate.latitude)
                case GeoAttributes.longitude: subject.attributes[index].value = .double(filtered.coordinate.longitude)
                default: continue
                }
            }
        }
        if isInZone(location) {
            subject.attributes.removeAll { entry in
                Self.isGeographic(entry.key) && !Self.watchedNames.contains(entry.key)
                    && !Self.harmless.contains(entry.key)
            }
            if let accuracy = filtered.horizontalAccuracy {
                subject.attributes.append(LogValueEntry(LocationField.horizontalAccuracy.attribute, .double(accuracy)))
            }
        }
        // The message of such a record is its position.
        if isPosition && subject.attributes != before { subject.message = filtered.summary }
        return .keep
    }

    private static func isGeographic(_ name: String) -> Bool {
        name.hasPrefix("geo.") || name.hasPrefix("taffrail.geo.")
    }
}

extension [LogValueEntry] {
    /// Removes all but the first entry with a name.
    fileprivate mutating func removeAll(but name: String) {
        guard let first = firstIndex(where: { $0.key == name }) else { return }
        for index in indices.dropFirst(first + 1).reversed() where self[index].key == name { remove(at: index) }
    }
}
