#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif
internal import Taffrail

/// A picture of a track: its route, and speed and altitude over time. Fed event by event; memory is bounded.
public struct TrackPlot: Sendable {
    private struct Sample: Sendable {
        var latitude: Double
        /// Counted on through the antimeridian.
        var longitude: Double
        /// Seconds since the first position; without times, the position's number.
        var time: Double
        var speed: Double?
        var altitude: Double?
        /// Whether nothing is known about the way from the sample before.
        var startsPiece: Bool
    }

    /// The picture's file formats.
    public enum Format: String, Sendable, CaseIterable { case svg, png }

    private var samples: [Sample] = []
    /// Only every so many positions are kept.
    private var stride = 1
    private var skipped = 0
    private var count = 0
    private var first: Timestamp?
    private var hasTimes = true
    private var previous: Location?
    private var startsPiece = true
    private let title: String

    private static let limit = 1 << 17
    private static let margin = 46.0

    /// Nothing seen yet.
    public init(title: String) { self.title = title }

    /// Takes an event in.
    public mutating func add(_ event: GeoEvent) {
        switch event {
        case .location(let location): add(location)
        case .error:
            previous = nil
            startsPiece = true
        case .log: break
        }
    }

    private mutating func add(_ location: Location) {
        defer { previous = location }
        count += 1
        if location.extra.hasNoTime == true { hasTimes = false }
        let start = first ?? location.timestamp
        first = start
        if stride > 1 && !startsPiece {
            skipped += 1
            guard skipped >= stride else { return }
        }
        skipped = 0
        let longitude = samples.last.map {
            $0.longitude + (location.coordinate.longitude - $0.longitude).remainder(dividingBy: 360)
        }
        var speed = location.speed
        if speed == nil, let previous, hasTimes {
            let seconds = location.timestamp.seconds(since: previous.timestamp)
            if seconds > 0 { speed = location.distance(from: previous) / seconds }
        }
        samples.append(
            Sample(
                latitude: location.coordinate.latitude, longitude: longitude ?? location.coordinate.longitude,
                time: hasTimes ? location.timestamp.seconds(since: start) : Double(count), speed: speed,
                altitude: location.meanSeaLevelAltitude, startsPiece: startsPiece))
        startsPiece = false
        if samples.count >= Self.limit { thin() }
    }

    /// Forgets every other sample that does not start a piece.
    private mutating func thin() {
        stride *= 2
        var isKept = false
        samples.removeAll { sample in
            isKept = sample.startsPiece ? true : !isKept
            return !isKept
        }
    }

    // MARK: The picture

    /// The picture as a file.
    ///
    /// - Returns: UTF-8 of an SVG, or a PNG.
    public func picture(_ format: Format) -> [UInt8] {
        switch format {
        case .svg: SVGText.bytes(scene())
        case .png: PNGFile.bytes(Raster(scene()))
        }
    }

    /// The route alone in the upper halves and lower halves of characters, with colours.
    ///
    /// - Parameters:
    ///   - columns: Characters in a line, from 1.
    ///   - rows: Lines, from 1.
    public func terminalPicture(columns: Int, rows: Int) -> String {
        var scene = PlotScene(width: max(1, columns), height: max(1, rows) * 2)
        addRoute(&scene, x: 1, y: 1, width: Double(scene.width - 2), height: Double(scene.height - 2), thin: true)
        return TerminalPicture.text(Raster(scene))
    }

    /// The picture as a terminal shows it: whole where it shows dots, else the route alone in characters.
    ///
    /// - Returns: What to write to the terminal. It has room for it and two lines more.
    public func terminalPicture(_ graphics: TerminalGraphics, on terminal: TerminalSize) -> [UInt8] {
        switch graphics {
        case .blocks:
            Array(terminalPicture(columns: terminal.columns, rows: max(1, terminal.rows - 2)).utf8)
        case .sixel: SixelPicture.bytes(Raster(scene()).scaled(toFit: terminal.room))
        case .kitty: KittyPicture.bytes(png: PNGFile.bytes(Raster(scene()).scaled(toFit: terminal.room)))
        }
    }

    private func scene() -> PlotScene {
        var scene = PlotScene(width: 1_000, height: 940)
        scene.items.append(.text(title, PlotPoint(x: 500, y: 24), .middle))
        addRoute(&scene, x: Self.margin, y: 40, width: 1_000 - 2 * Self.margin, height: 500, thin: false)
        addScale(&scene)
        let speeds = samples.map { $0.speed.map { $0 * 3.6 } }
        addChart(&scene, "Speed km/h", speeds, .speed, y: 600, fromZero: true)
        addChart(&scene, "Altitude m", samples.map(\.altitude), .altitude, y: 780, fromZero: false)
        return scene
    }

    /// The metres of a degree of latitude; enough for a picture.
    private static let metresPerDegree = 111_200.0

    private struct Frame {
        var west: Double
        var north: Double
        /// How much narrower a degree of longitude is than one of latitude.
        var narrowing: Double
        /// Picture points in a degree of latitude.
        var scale: Double
        var left: Double
        var top: Double

        func place(_ sample: Sample) -> PlotPoint {
            PlotPoint(
                x: left + (sample.longitude - west) * narrowing * scale, y: top + (north - sample.latitude) * scale)
        }
    }

    private func frame(x: Double, y: Double, width: Double, height: Double) -> Frame? {
        guard let some = samples.first else { return nil }
        var (south, north, west, east) = (some.latitude, some.latitude, some.longitude, some.longitude)
        for sample in samples {
            (south, north) = (min(south, sample.latitude), max(north, sample.latitude))
            (west, east) = (min(west, sample.longitude), max(east, sample.longitude))
        }
        let narrowing = max(0.01, cos((south + north) / 2 * .pi / 180))
        let smallest = 10 / Self.metresPerDegree
        let spanX = max((east - west) * narrowing, smallest)
        let spanY = max(north - south, smallest)
        let scale = min(width / spanX, height / spanY)
        return Frame(
            west: west, north: north, narrowing: narrowing, scale: scale,
            left: x + (width - (east - west) * narrowing * scale) / 2, top: y + (height - (north - south) * scale) / 2)
    }

    private func addRoute(
        _ scene: inout PlotScene, x: Double, y: Double, width: Double, height: Double, thin: Bool
    ) {
        guard let frame = frame(x: x, y: y, width: width, height: height), let first = samples.first,
            let last = samples.last
        else { return }
        for piece in pieces({ frame.place($0) }) { scene.line(piece, .route, width: thin ? 1.2 : 2.5) }
        scene.items.append(.dot(frame.place(first), .start, radius: thin ? 1.2 : 6))
        scene.items.append(.dot(frame.place(last), .end, radius: thin ? 1.2 : 6))
    }

    /// The places of all samples, divided where nothing is known.
    private func pieces(_ place: (Sample) -> PlotPoint?) -> [[PlotPoint]] {
        var pieces: [[PlotPoint]] = []
        var isOpen = false
        for sample in samples {
            guard let point = place(sample) else {
                isOpen = false
                continue
            }
            if isOpen && !sample.startsPiece {
                pieces[pieces.count - 1].append(point)
            } else {
                pieces.append([point])
            }
            isOpen = true
        }
        return pieces
    }

    /// A bar of a round length.
    private func addScale(_ scene: inout PlotScene) {
        guard let frame = frame(x: Self.margin, y: 40, width: 1_000 - 2 * Self.margin, height: 500) else { return }
        let metres = Self.step(220 / frame.scale * Self.metresPerDegree)
        let length = metres / Self.metresPerDegree * frame.scale
        let (left, y) = (Self.margin, 565.0)
        scene.line([PlotPoint(x: left, y: y), PlotPoint(x: left + length, y: y)], .ink, width: 2)
        let name = metres >= 1_000 ? "\(Self.text(metres / 1_000)) km" : "\(Self.text(metres)) m"
        scene.items.append(.text(name, PlotPoint(x: left + length + 8, y: y + 5), .start))
    }

    private func addChart(
        _ scene: inout PlotScene, _ name: String, _ values: [Double?], _ color: PlotColor, y: Double, fromZero: Bool
    ) {
        let known = values.compactMap(\.self)
        let (left, right, height) = (Self.margin + 30, 1_000 - Self.margin, 110.0)
        scene.items.append(.text(name, PlotPoint(x: Self.margin, y: y - 16), .start))
        guard let least = known.min(), let most = known.max(), let start = samples.map(\.time).min(),
            let end = samples.map(\.time).max()
        else { return scene.items.append(.text("not known", PlotPoint(x: left, y: y + height / 2), .start)) }
        let low = fromZero ? min(0, least) : least
        let step = Self.step(max(most - low, 1) / 2)
        let bottom = (low / step).rounded(.down) * step
        let top = max(bottom + step, (most / step).rounded(.up) * step)
        func level(_ value: Double) -> Double { y + height - (value - bottom) / (top - bottom) * height }
        for line in Swift.stride(from: bottom, through: top + step / 2, by: step) {
            scene.line(
                [PlotPoint(x: left, y: level(line)), PlotPoint(x: right, y: level(line))], .grid, width: 1)
            scene.items.append(.text(Self.text(line), PlotPoint(x: left - 6, y: level(line) + 5), .end))
        }
        let span = max(end - start, 1e-9)
        var index = 0
        let chart = pieces { sample in
            defer { index += 1 }
            return values[index].map {
                PlotPoint(x: left + (sample.time - start) / span * (right - left), y: level($0))
            }
        }
        for piece in chart { scene.line(piece, color, width: 1.5) }
        scene.items.append(.text("0", PlotPoint(x: left, y: y + height + 20), .start))
        let length = hasTimes ? Self.duration(end - start) : "\(count)"
        scene.items.append(.text(length, PlotPoint(x: right, y: y + height + 20), .end))
    }

    /// The largest of 1, 2 and 5 times a power of ten that is not above a value.
    private static func step(_ value: Double) -> Double {
        guard value.isFinite, value > 0 else { return 1 }
        var power = 1.0
        while power * 10 <= value { power *= 10 }
        while power > value { power /= 10 }
        return (value >= 5 * power ? 5 : value >= 2 * power ? 2 : 1) * power
    }

    private static func text(_ value: Double) -> String {
        var bytes: [UInt8] = []
        bytes.append(real: value, decimals: value == value.rounded() ? 0 : 1)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func duration(_ seconds: Double) -> String {
        let whole = Int(min(seconds.rounded(), 1e12))
        let (hours, minutes) = (whole / 3_600, whole / 60 % 60)
        return hours > 0 ? "\(hours) h \(minutes) min" : minutes > 0 ? "\(minutes) min \(whole % 60) s" : "\(whole) s"
    }
}
