import Taffrail
import Testing

@testable import TaffrailGeo
@testable import TaffrailText

@Suite struct MotionReadingTests {
    private static let reading: MotionReading = {
        var reading = MotionReading(
            .attitude, timestamp: Timestamp(nanoseconds: 1_767_623_400_250_000_000), device: "/dev/compass")
        reading.heading = 93.25
        reading.pitch = -1.5
        reading.roll = 12
        reading.acceleration = .init(x: 0.1, y: nil, z: 9.81)
        reading.rotation.y = -3
        reading.magneticField = .init(x: 1, y: 2, z: 3)
        reading.temperature = 21.5
        reading.depth = 4
        return reading
    }()

    @Test func `a reading is a record, and is the same again`() {
        let record = Self.reading.record(received: Timestamp(nanoseconds: 5))
        #expect(record.eventName == "sensor.motion" && record.logger == "sensor" && record.level == .info)
        #expect(record.message == "heading 93.3° pitch -1.5° roll 12.0°")
        #expect(
            record.attributes.map(\.key).prefix(4) == [
                "taffrail.motion.kind", "taffrail.motion.time", "taffrail.motion.device", "taffrail.motion.heading",
            ])
        #expect(MotionReading(record) == Self.reading)
        #expect(MotionReading(LogRecord(level: .info, message: "")) == nil)
        var odd = Self.reading
        odd.yaw = .nan
        #expect(MotionReading(odd.record()) == Self.reading)
        #expect(MotionReading(.inertial, timestamp: .now).record().message == "inertial")
    }

    @Test func `objects of gpsd are readings`() throws {
        let reports = GPSDParserTests.reports(
            """
            {"class":"ATT","device":"/dev/c","time":"2026-01-05T14:30:00.250Z","heading":142.23,"mag_st":"N","pitch":0.169,\
            "pitch_st":"N","roll":-4.5,"roll_st":"L","yaw":1.5,"dip":13.641,"mag_x":2454.000,"depth":2.5,"temperature":19}
            {"class":"IMU","timeTag":"2156","acc_len":9.8,"acc_x":0.5,"acc_y":-0.25,"acc_z":9.75,"gyro_x":1,"gyro_y":2,"gyro_z":3}
            {"class":"ATT","heading":"north","acc_x":null}

            """)
        try #require(reports.count == 3)
        guard case .motion(let attitude) = reports[0], case .motion(let raw) = reports[1],
            case .motion(let empty) = reports[2]
        else {
            Issue.record("\(reports)")
            return
        }
        #expect(attitude.kind == .attitude && attitude.device == "/dev/c")
        #expect(attitude.timestamp == RFC3339.timestamp("2026-01-05T14:30:00.250Z"))
        #expect(attitude.heading == 142.23 && attitude.pitch == 0.169 && attitude.roll == -4.5 && attitude.yaw == 1.5)
        #expect(attitude.dip == 13.641 && attitude.magneticField == .init(x: 2_454) && attitude.depth == 2.5)
        #expect(attitude.temperature == 19)
        #expect(raw.kind == .inertial && raw.device == nil && raw.rotation == .init(x: 1, y: 2, z: 3))
        #expect(raw.acceleration == .init(x: 0.5, y: -0.25, z: 9.75) && raw.heading == nil)
        #expect(empty == MotionReading(.attitude, timestamp: empty.timestamp))
    }
}
