#if Store
/// The tables of a store. Decision note 0001 describes them.
enum StoreSchema {
    /// Marks a database as ours: `Taff`.
    static let applicationID: Int32 = 0x5461_6666

    /// The extents of blocks.
    static let boxes = "CREATE VIRTUAL TABLE block_box USING rtree_i32(id, south, north, west, east)"

    /// The migrations from each version to the next. A released one is never changed; new ones are appended.
    fileprivate static let migrations: [String] = [
        """
        CREATE TABLE device(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
        CREATE TABLE source(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
        CREATE TABLE session(
            id INTEGER PRIMARY KEY, name TEXT NOT NULL, device INTEGER NOT NULL, run TEXT, points INTEGER NOT NULL,
            first INTEGER NOT NULL, last INTEGER NOT NULL, UNIQUE(name, device));
        CREATE TABLE point(
            time INTEGER NOT NULL, hash INTEGER NOT NULL, nanoseconds INTEGER NOT NULL, lat INTEGER NOT NULL,
            lon INTEGER NOT NULL, hacc INTEGER, speed INTEGER, altitude INTEGER, course INTEGER, vacc INTEGER,
            climb INTEGER, device INTEGER NOT NULL, source INTEGER, session INTEGER NOT NULL, battery INTEGER,
            zone INTEGER, sequence INTEGER, flags INTEGER NOT NULL, seen INTEGER,
            PRIMARY KEY(time, hash)) WITHOUT ROWID;
        CREATE TABLE block(
            id INTEGER PRIMARY KEY, device INTEGER NOT NULL, hour INTEGER NOT NULL, points INTEGER NOT NULL,
            first INTEGER NOT NULL, last INTEGER NOT NULL, UNIQUE(device, hour));
        \(boxes);
        CREATE TABLE ring(run TEXT PRIMARY KEY, position INTEGER NOT NULL, path TEXT) WITHOUT ROWID;
        CREATE TABLE meta(key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
        CREATE VIEW track AS SELECT
            strftime('%Y-%m-%dT%H:%M:%S', point.time / 1000, 'unixepoch') || printf('.%03dZ', point.time % 1000)
                AS timestamp,
            lat / 1e7 AS lat, lon / 1e7 AS lon, hacc / 100.0 AS hAcc, speed / 100.0 AS speed,
            altitude / 100.0 AS altitude, course / 100.0 AS course, device.name AS device, session.name AS session
            FROM point JOIN device ON device.id = point.device JOIN session ON session.id = point.session;
        """,
        """
        CREATE TABLE visit(
            id INTEGER PRIMARY KEY, device INTEGER NOT NULL, arrival INTEGER NOT NULL, departure INTEGER NOT NULL,
            lat INTEGER NOT NULL, lon INTEGER NOT NULL, points INTEGER NOT NULL, gap INTEGER NOT NULL, zone INTEGER,
            found INTEGER NOT NULL);
        CREATE INDEX visit_time ON visit(device, arrival);
        CREATE TABLE trip(
            id INTEGER PRIMARY KEY, device INTEGER NOT NULL, departure INTEGER NOT NULL, arrival INTEGER NOT NULL,
            from_lat INTEGER NOT NULL, from_lon INTEGER NOT NULL, to_lat INTEGER NOT NULL, to_lon INTEGER NOT NULL,
            distance INTEGER NOT NULL, start TEXT NOT NULL, "end" TEXT NOT NULL, points INTEGER NOT NULL,
            left_out INTEGER NOT NULL, gap INTEGER NOT NULL, zone INTEGER, found INTEGER NOT NULL);
        CREATE INDEX trip_time ON trip(device, departure);
        CREATE TABLE analysis(
            device INTEGER NOT NULL, time INTEGER NOT NULL, state TEXT NOT NULL, PRIMARY KEY(device, time))
            WITHOUT ROWID;
        """,
        "CREATE TABLE overview(block INTEGER PRIMARY KEY, line BLOB NOT NULL);",
    ]

    /// The first version that has visits and trips.
    static let journeys: Int32 = 2
    /// The first version that has overviews of blocks.
    static let overviews: Int32 = 3
}

extension StoreKind {
    /// Positions.
    static let positions = StoreKind(applicationID: StoreSchema.applicationID, migrations: StoreSchema.migrations)
}
#endif
