/// Whether a program may receive positions, in CoreLocation's terms.
public enum AuthorizationStatus: Int, Sendable, Hashable, CaseIterable {
    /// No source has been opened yet.
    case notDetermined = 0
    /// Not reported by any source of Taffrail; for compatibility with CoreLocation.
    case restricted = 1
    /// The source refused access.
    case denied = 2
    /// The source delivers positions, in the background too.
    case authorizedAlways = 3
    /// The source delivers positions while the program is in the foreground.
    case authorizedWhenInUse = 4

    /// A number that is higher for a status that permits more.
    var rank: Int {
        switch self {
        case .notDetermined: 0
        case .restricted: 1
        case .denied: 2
        case .authorizedWhenInUse: 3
        case .authorizedAlways: 4
        }
    }
}
