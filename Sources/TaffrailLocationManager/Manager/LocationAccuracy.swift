/// Accuracies in CoreLocation's terms; positive values are metres.
public enum LocationAccuracy {
    /// The best possible, with additional sensors.
    public static let bestForNavigation = -2.0
    /// The best possible.
    public static let best = -1.0
    /// Ten metres.
    public static let nearestTenMeters = 10.0
    /// A hundred metres.
    public static let hundredMeters = 100.0
    /// A kilometre.
    public static let kilometer = 1_000.0
    /// Three kilometres.
    public static let threeKilometers = 3_000.0
}
