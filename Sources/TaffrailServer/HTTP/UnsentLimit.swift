#if Server
internal import Glibc
internal import NIOCore

extension Channel {
    /// Limits how many bytes the kernel keeps that a client has not read yet. By default it keeps up to 4 MiB for each
    /// connection, outside the memory of this process.
    func limitUnsentBytes() async {
        let option = ChannelOptions.Types.SocketOption(level: .tcp, name: .init(rawValue: TCP_NOTSENT_LOWAT))
        // Only a matter of memory; a closed connection refuses it.
        try? await setOption(option, value: 128 << 10).get()
    }
}
#endif
