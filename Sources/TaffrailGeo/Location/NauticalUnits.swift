/// The units of charts and receivers.
package enum NauticalUnits {
    /// The nautical mile, in metres.
    package static let mile = 1_852.0
    /// The knot, a nautical mile an hour, in metres per second.
    package static let knot = mile / 3_600
}
