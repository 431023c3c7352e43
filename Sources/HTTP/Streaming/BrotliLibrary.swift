internal import CCurl

/// libbrotlidec's functions. The library is looked for on first use: libcurl brings it along where it
/// has brotli itself, and a machine without it is not offered the coding.
struct BrotliLibrary: Sendable {
  #if os(macOS)
    private static let fileName = "libbrotlidec.1.dylib"
  #else
    private static let fileName = "libbrotlidec.so.1"
  #endif

  static let shared: BrotliLibrary? = {
    var functions = brotli_functions()
    return brotli_functions_open(fileName, &functions) ? BrotliLibrary(functions: functions) : nil
  }()

  let functions: brotli_functions
}
