#if Command && Configuration
internal import Dispatch
internal import Taffrail
internal import TaffrailGPSD
internal import TaffrailGeo
internal import TaffrailLocationManager
internal import TaffrailNMEA
internal import TaffrailText
internal import TaffrailTransport

/// Checks whether positions arrive, and whether access to their sources is permitted.
struct DoctorPositions {
    private let examination: DoctorExamination
    private let timeout: Duration

    init(_ examination: DoctorExamination, timeout: Duration) {
        self.examination = examination
        self.timeout = timeout
    }

    /// Positions first, then permissions.
    var findings: [DoctorFinding] {
        get async {
            let inputs = examination.plugins(.input).filter { $0.plugin != "visits" }
            guard !inputs.isEmpty else {
                return [
                    .wrong(
                        .position, "no position can arrive", cause: "the configuration has no input",
                        remedy: "add gpsd: {} or nmea: {source: /dev/ttyACM0} to plugins")
                ]
            }
            var found: [DoctorFinding] = []
            for input in inputs {
                switch input.options {
                case let options as GPSDOptions: found += await gpsd(options, input.name)
                case let options as NMEAOptions: found += nmea(options, input.name)
                default:
                    let isExample = ["simulated", "geo-replay"].contains(input.plugin)
                    found.append(
                        .fine(.position, "\(input.name): \(isExample ? "simulated or replayed" : "not examined")"))
                }
            }
            let denied = found.filter { $0.area == .permission }
            return found.filter { $0.area == .position }
                + (denied.isEmpty ? [.fine(.permission, "no source refused access")] : denied)
        }
    }

    /// Requests a position from a gpsd through a separate connection.
    private func gpsd(_ options: GPSDOptions, _ name: String) async -> [DoctorFinding] {
        let address = options.address
        if let problem = unreachable(.tcp(host: options.host, port: options.port)) {
            return [
                .wrong(
                    .position, "\(name): \(problem)", cause: "no gpsd listens on \(address), or a firewall blocks it",
                    remedy: "systemctl enable --now gpsd.socket, or set host and port of \(name)")
            ]
        }
        let manager = LocationManager(gpsd: options, queue: DispatchQueue(label: "taffrail.doctor"))
        manager.requestTimeout = timeout
        let events = manager.events
        manager.requestLocation()
        for await event in events {
            switch event {
            case .location: return [.fine(.position, "\(name): gpsd at \(address) delivers positions")]
            case .error(let error) where error.code == GeoError.Code.denied.rawValue:
                return [
                    .wrong(
                        .permission, "\(name): \(error)",
                        cause: "gpsd at \(address) or a firewall refuses the connection",
                        remedy: "start gpsd with -G to accept other machines, and check its firewall")
                ]
            case .error(let error):
                return [
                    .wrong(
                        .position, "\(name): \(error)",
                        cause: "gpsd has no receiver, or the receiver has no fix: indoors, or just started",
                        remedy:
                            "gpsmon \(address) shows receiver and satellites; check DEVICES in /etc/default/gpsd; go outside"
                    )
                ]
            default: continue
            }
        }
        return []
    }

    /// Returns the reason why a server cannot be reached; `nil` if it can.
    private func unreachable(_ address: StreamAddress) -> SystemError? {
        do throws(SystemError) {
            _ = try ByteStream.open(address, timeout: timeout, interrupt: Interrupt())
            return nil
        } catch {
            return error
        }
    }

    private func nmea(_ options: NMEAOptions, _ name: String) -> [DoctorFinding] {
        let path: String
        switch StreamAddress(options.source) {
        case .serial(let device, _): path = device
        case .file(let file) where file != "-": path = file
        case .tcp(let host, let port):
            guard let problem = unreachable(.tcp(host: host, port: port)) else {
                return [.fine(.position, "\(name): \(options.source) can be reached")]
            }
            return [
                .wrong(
                    .position, "\(name): \(problem)", cause: "nothing listens there, or a firewall blocks it",
                    remedy: "start it, or set source: of \(name)")
            ]
        default: return [.fine(.position, "\(name): \(options.source)")]
        }
        guard FileName.exists(path) else {
            return [
                .wrong(
                    .position, "\(name): \(path) does not exist",
                    cause: "the receiver is not connected, or has another name",
                    remedy: "see the kernel's log (dmesg) and /dev/serial/by-id, and set source: of \(name)")
            ]
        }
        guard FileAccess.reading.error(at: path) == 0 else {
            return [
                .wrong(
                    .permission, "\(name): \(path) may not be read", cause: "this user is not in the device's group",
                    remedy: "usermod -aG dialout USER, and log in again; a service has SupplementaryGroups=dialout")
            ]
        }
        return [.fine(.position, "\(name): \(path) can be read")]
    }
}
#endif
