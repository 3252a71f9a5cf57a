extension Sink where Self == FileSink {
    /// Creates a file sink, for setting up a pipeline in code: `Pipeline(sinks: [.file("app.log")])`.
    ///
    /// - Parameters:
    ///   - path: The live file, absolute or relative to the working directory.
    ///   - rotate: When to rotate the file and what to keep. Default: 10 MiB, 5 files.
    ///   - format: The format of records.
    /// - Throws: ``OptionError`` for options out of range.
    public static func file(
        _ path: String, rotate: RotationOptions = RotationOptions(), format: FileOptions.Format = .text
    ) throws(OptionError) -> FileSink { try FileSink(FileOptions(path: path, rotate: rotate, format: format)) }

    /// Creates a file sink with lines in a custom format, otherwise as ``file(_:rotate:format:)``.
    public static func file(
        _ path: String, rotate: RotationOptions = RotationOptions(), format: some LineFormat
    ) throws(OptionError) -> FileSink { try FileSink(FileOptions(path: path, rotate: rotate), format: format) }
}
