import Foundation
import Taffrail
import TaffrailTestSupport
import Testing

/// Numbers in messages that have a format.
@Suite(.mayBlock) struct NumberFormatTests {
    private let log = MemoryLog()
    private var logger: Logger { log.logger }

    @Test func `fixed digits and hexadecimal ones`() {
        let (speed, flags, wide) = (7.256, UInt8(0xAB), Float(0.125))
        logger.info("\(speed, format: .fixed(2)) kn, \(wide, format: .fixed(1)), \(-0.5, format: .fixed(0))")
        logger.info("\(flags, format: .hex) \(Int16(-1), format: .hex) \(0, format: .hex) \(UInt64.max, format: .hex)")
        logger.info("\(2.0, format: .fixed(-3)) \(2.0, format: .fixed(99)) \(99.995, format: .fixed(2))")
        #expect(
            log.messages == [
                "7.26 kn, 0.1, -0", "ab ffff 0 ffffffffffffffff", "2 2.000000000000000 100.00",
            ])
    }

    @Test func `other numbers are written unchanged`() {
        logger.info(
            "\(Double.infinity, format: .fixed(2)) \(Double.nan, format: .fixed(2)) \(-1e300, format: .fixed(2))")
        #expect(log.messages == ["inf nan -1e+300"])
    }

    @Test func `fixed digits are those of printf`() {
        var generator = SeededGenerator(seed: 17)
        var numbers: [Double] = [
            0, -0.0, 0.5, 1.5, 2.5, 0.125, 0.375, 1.005, 2.675, 0.045, 9.995, 0x1p62, .leastNonzeroMagnitude, 0.1 + 0.2,
        ]
        for _ in 0..<300 {
            let exponent = Double(Int.random(in: -12...17, using: &generator))
            numbers.append(Double.random(in: -1...1, using: &generator) * pow(10, exponent))
            numbers.append(Double(Int.random(in: -99_999...99_999, using: &generator)) / 1000 + 0.0005)
        }
        var wanted: [String] = []
        for number in numbers {
            for digits in [0, 1, 2, 3, 6, 15] {
                logger.info("\(number, format: .fixed(digits))")
                wanted.append(String(format: "%.\(digits)f", number))
            }
        }
        #expect(log.messages == wanted)
    }
}
