import Taffrail

// No set-up: the first call opens the log.
Logger.shared.info("Casting off")

for pier in 1...3 {
    Logger.shared.info("left pier \(pier)", ["knots": 4, "lights": true])
}

// A named logger for one part of the program, and one that adds an attribute to all its records.
let engine = Logger("engine").with(["unit": 2])
engine.warning("oil pressure is \(2.5) bar")

// Below the threshold: neither the message nor its interpolated values are evaluated.
Logger.shared.debug("never in the file, and never built: \(engine)")

Logger.shared.error("no wind")
