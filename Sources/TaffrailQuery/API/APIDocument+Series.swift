internal import Taffrail

extension APIDocument {
    static func series(_ answer: SeriesAnswer) -> APIDocument {
        var document = APIDocument()
        document.object { object in
            object.real("interval", answer.interval / .seconds(1))
            object.flag("sampled", answer.isSampled)
            object.list("devices", answer.devices) { list, device in
                list.object { object in
                    object.text("device", device.device)
                    for (name, values) in [
                        ("speed", device.speed), ("altitude", device.altitude), ("battery", device.battery),
                    ] {
                        object.list(name, values) { list, value in
                            list.object { object in
                                object.time("time", value.time)
                                object.real("least", value.least)
                                object.real("greatest", value.greatest)
                            }
                        }
                    }
                }
            }
        }
        return document
    }
}
