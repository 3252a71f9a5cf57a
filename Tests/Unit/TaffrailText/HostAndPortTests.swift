import TaffrailText
import Testing

@Suite struct HostAndPortTests {
    @Test(
        arguments: [
            ("pier:80", "pier", "pier", "80"), ("pier", "pier", "pier", nil), ("[::1]:80", "[::1]", "::1", "80"),
            ("[::1]", "[::1]", "::1", nil), ("::1", ":", ":", "1"), ("pier:", "pier", "pier", ""),
            (":80", "", "", "80"),
            ("[::1]x", "[:", "[:", "1]x"), ("", "", "", nil),
        ] as [(String, String, String, String?)])
    func `the port follows the last colon outside of brackets`(
        text: String, host: String, name: String, port: String?
    ) {
        let parts = HostAndPort(text[...])
        #expect(parts.host == host)
        #expect(parts.name == name)
        #expect(parts.port.map { String($0) } == port)
    }

    @Test(
        arguments: [
            ("pier:0", 0), ("pier:080", 80), ("pier:65535", 65_535), ("pier:65536", nil), ("pier:+80", nil),
            ("pier:-1", nil), ("pier:", nil), ("pier:x", nil), ("pier", nil),
        ] as [(String, UInt16?)])
    func `a port is a number in digits`(text: String, number: UInt16?) {
        #expect(HostAndPort(text[...]).number == number)
    }

    @Test(arguments: [("pier", "pier:80"), ("::1", "[::1]:80"), ("fe80::1%eth0", "[fe80::1%eth0]:80")])
    func `an address has brackets around an IPv6 address only`(host: String, text: String) {
        #expect(HostAndPort.text(host, 80) == text)
        #expect(HostAndPort(text[...]).name == host)
    }
}
