#if Store
/// The tables of a store of records. Decision note 0004 describes them.
enum LogSchema {
    /// The lengths of the slots in which records are counted, in seconds.
    static let spans: [Int64] = [86_400, 3_600, 60]

    fileprivate static let migrations: [String] = [
        """
        CREATE TABLE logger(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
        CREATE TABLE event(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
        CREATE TABLE device(
            id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, last INTEGER, place INTEGER,
            stale INTEGER NOT NULL DEFAULT 0);
        CREATE TABLE source(
            id INTEGER PRIMARY KEY, file TEXT NOT NULL, function TEXT NOT NULL, line INTEGER NOT NULL,
            records INTEGER NOT NULL DEFAULT 0, UNIQUE(file, function, line));
        CREATE TABLE origin(
            id INTEGER PRIMARY KEY, device INTEGER NOT NULL, kind INTEGER NOT NULL, name TEXT NOT NULL,
            UNIQUE(device, kind, name));
        CREATE TABLE record(
            id INTEGER PRIMARY KEY, time INTEGER NOT NULL, arrival INTEGER NOT NULL, level INTEGER NOT NULL,
            logger INTEGER NOT NULL, device INTEGER NOT NULL, event INTEGER NOT NULL, origin INTEGER NOT NULL,
            sequence INTEGER, lat INTEGER, lon INTEGER, source INTEGER, trace BLOB, message TEXT NOT NULL,
            attributes TEXT, indexed TEXT);
        CREATE UNIQUE INDEX record_origin ON record(origin, sequence);
        CREATE INDEX record_arrival ON record(arrival);
        CREATE VIEW record_words AS SELECT record.id AS id, record.message AS message, event.name AS event,
            record.indexed AS indexed FROM record LEFT JOIN event ON event.id = record.event;
        CREATE VIRTUAL TABLE record_text USING fts5(
            message, event, indexed, content = 'record_words', content_rowid = 'id', detail = none,
            tokenize = 'unicode61 remove_diacritics 0');
        CREATE TABLE tally(
            span INTEGER NOT NULL, slot INTEGER NOT NULL, level INTEGER NOT NULL, logger INTEGER NOT NULL,
            device INTEGER NOT NULL, event INTEGER NOT NULL, count INTEGER NOT NULL,
            PRIMARY KEY(span, slot, level, logger, device, event)) WITHOUT ROWID;
        CREATE TABLE ring(run TEXT PRIMARY KEY, position INTEGER NOT NULL, path TEXT) WITHOUT ROWID;
        CREATE TABLE meta(key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
        CREATE VIEW log AS SELECT
            strftime('%Y-%m-%dT%H:%M:%S', record.time / 1000000000 - (record.time % 1000000000 < 0), 'unixepoch')
                || printf('.%09dZ', (record.time % 1000000000 + 1000000000) % 1000000000) AS time,
            CASE record.level WHEN 0 THEN 'trace' WHEN 1 THEN 'debug' WHEN 2 THEN 'info' WHEN 3 THEN 'notice'
                WHEN 4 THEN 'warning' WHEN 5 THEN 'error' ELSE 'critical' END AS level,
            device.name AS device, logger.name AS logger, event.name AS event, record.message AS message,
            record.attributes AS attributes, record.lat / 1e7 AS lat, record.lon / 1e7 AS lon
            FROM record JOIN device ON device.id = record.device JOIN logger ON logger.id = record.logger
            LEFT JOIN event ON event.id = record.event;
        """
    ]
}

extension StoreKind {
    /// Records, marked `TafL`.
    static let records = StoreKind(
        applicationID: 0x5461_664C, migrations: LogSchema.migrations, checkpointPages: 4_000)
}
#endif
