import Testing

@testable import TaffrailText

@Suite struct PrometheusTextTests {
    @Test func `a metric has its help, its type and its samples`() {
        var depth = PrometheusText("queue_depth_bytes", .gauge, "Bytes in a queue.")
        #expect(depth.isEmpty)
        let head = "# HELP taffrail_queue_depth_bytes Bytes in a queue.\n# TYPE taffrail_queue_depth_bytes gauge\n"
        #expect(depth.text == head)
        depth.add([("log", "app.log"), ("run", "1a")], 12)
        depth.add([], UInt64.max)
        #expect(!depth.isEmpty)
        #expect(
            depth.text == head + "taffrail_queue_depth_bytes{log=\"app.log\",run=\"1a\"} 12\n"
                + "taffrail_queue_depth_bytes 18446744073709551615\n")
    }

    @Test func `backslashes, quotes and line breaks in labels are escaped`() {
        var total = PrometheusText("records_total", .counter, "Records.")
        total.add([("log", "a\\b\"c\nd")], 1)
        #expect(total.text.hasSuffix("\ntaffrail_records_total{log=\"a\\\\b\\\"c\\nd\"} 1\n"))
    }
}
