internal import Taffrail
internal import TaffrailGeo

/// The source of the names of places: a server, a database, or the latter while the server has no names.
struct PlaceNames: Sendable {
    var geocoder: OfflineGeocoder?
    var nominatim: NominatimGeocoder?

    /// Returns the names of a fix's place; a place of `places` has none.
    ///
    /// They are those of the coordinate that records get, after `privacy`: names of the exact one, such as a postal
    /// code, would disclose more than the coordinate is allowed to.
    ///
    /// - Parameters:
    ///   - slot: The attributes that records get; the server, too, gets no more than these.
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
