#if Server
internal import Glibc
internal import NIOCore

extension Channel {
    /// Limits the number of bytes that the kernel buffers until a client reads them. By default, it is up to 4 MiB for
    /// each connection, outside the memory of this process.
    func limitUnsentBytes() async {
        let option = ChannelOptions.Types.SocketOption(level: .tcp, name: .init(rawValue: TCP_NOTSENT_LOWAT))
        // An error, such as that of a closed connection, only costs memory.
        try? await setOption(option, value: 128 << 10).get()
    }
}
#endif
