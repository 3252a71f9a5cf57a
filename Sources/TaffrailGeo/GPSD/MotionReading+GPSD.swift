internal import Taffrail

extension MotionReading {
    /// Converts an ATT or IMU object of gpsd.
    init(_ object: GPSDObject, _ kind: Kind, time: Timestamp?, received: Timestamp) {
        self.init(kind, timestamp: time ?? received, device: object.text("device"))
        heading = object.number("heading")
        pitch = object.number("pitch")
        roll = object.number("roll")
        yaw = object.number("yaw")
        dip = object.number("dip")
        acceleration = Vector(object, "acc")
        rotation = Vector(object, "gyro")
        magneticField = Vector(object, "mag")
        temperature = object.number("temp") ?? object.number("temperature")
        depth = object.number("depth")
    }
}

extension MotionReading.Vector {
    fileprivate init(_ object: GPSDObject, _ name: String) {
        self.init(x: object.number(name + "_x"), y: object.number(name + "_y"), z: object.number(name + "_z"))
    }
}
