/// The formats of exported records.
enum ExportFormat: String, CaseIterable {
    case ndjson, csv, gpx

    var contentType: String {
        switch self {
        case .ndjson: "application/x-ndjson"
        case .csv: "text/csv; charset=utf-8"
        case .gpx: "application/gpx+xml"
        }
    }
}
