internal import Taffrail
internal import TaffrailGeo

/// Where the names of places come from: a server, a database, or the latter while the server has no names.
struct PlaceNames: Sendable {
    var geocoder: OfflineGeocoder?
    var nominatim: NominatimGeocoder?

    /// The names of a fix's place; a place of `places` has none.
    ///
    /// - Parameters:
    ///   - slot: The attributes that records get; the server learns no more than these.
    ///   - found: Called on any thread when the server has answered with names.
    func names(
        of fix: FixCache.Fix, in slot: Pipeline.ContextSlot, found: @escaping @Sendable () -> Void
    ) -> Placemark? {
        guard fix.place == nil else { return nil }
        if let nominatim, let coordinate = FixAttributes.coordinate(in: slot.reviewed(FixAttributes.make(fix))),
            let names = nominatim.placemark(at: coordinate, found: found)
        {
            return names
        }
        return geocoder?.placemark(at: fix.location.coordinate)
    }
}
