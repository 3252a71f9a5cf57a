import Glibc

/// Says a line to the test at once, which `print` does not do into a pipe.
func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(1, bytes, bytes.count)
}
