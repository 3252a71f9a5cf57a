import TaffrailTestSupport
import Testing

@testable import TaffrailText

@Suite struct DecimalTextTests {
    static func text(_ number: Double) -> String {
        var bytes: [UInt8] = []
        bytes.append(real: number)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `numbers have the shortest digits that read back as the same number`() {
        var generator = SeededGenerator(seed: 3)
        var numbers = [0, -0.0, 1, -1, 0.1, 0.3, 1e-4, 9.9999e-5, 1e-5, 1e6, 999_999.999_999_999, 999_999, 1e15, 1e16]
        numbers += [
            0.1 + 0.2, 1 / 3, .pi, .ulpOfOne, .greatestFiniteMagnitude, .leastNonzeroMagnitude, 180, -179.9999999,
        ]
        for decimals in 0...12 {
            let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
            for _ in 0..<500 {
                let number = (Double.random(in: -2_000_000...2_000_000, using: &generator) * scale).rounded() / scale
                numbers += [number, number / 1_000, number / 1e7]
            }
        }
        for _ in 0..<5_000 {
            let number = Double(bitPattern: .random(in: .min ... .max, using: &generator))
            if number.isFinite { numbers.append(number) }
            numbers.append(.random(in: -180...180, using: &generator))
        }
        #expect(numbers.filter { Self.text($0) != $0.description } == [])
    }

    @Test func `integers are written unchanged`() {
        for number in [0, 1, -1, 9, 10, -10, 1_234_567_890, .max, .min] {
            var bytes: [UInt8] = []
            bytes.append(decimal: number)
            #expect(String(decoding: bytes, as: UTF8.self) == "\(number)")
        }
    }
}
