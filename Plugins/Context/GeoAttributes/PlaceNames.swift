internal import Taffrail
internal import TaffrailGeo

/// The source of place names: a server, a database, or the database while the server has no names.
struct PlaceNames: Sendable {
    var geocoder: OfflineGeocoder?
    var nominatim: NominatimGeocoder?

    /// Returns the names of a fix's place; a place of `places` has none.
    ///
    /// They are looked up for the coordinate in records, after `privacy`: names of the exact coordinate, such as a
    /// postal code, could disclose more than the reduced one.
    ///
    /// - Parameters:
    ///   - slot: The attributes of records; the server receives no more than these.
    ///   - found: Called on any thread when the server has returned names.
    func names(
        of fix: FixCache.Fix, in slot: Pipeline.ContextSlot, found: @escaping @Sendable () -> Void
    ) -> Placemark? {
        guard fix.place == nil, nominatim != nil || geocoder != nil,
            let coordinate = FixAttributes.coordinate(in: slot.reviewed(FixAttributes.make(fix)))
        else { return nil }
        return nominatim?.placemark(at: coordinate, found: found) ?? geocoder?.placemark(at: coordinate)
    }
}
