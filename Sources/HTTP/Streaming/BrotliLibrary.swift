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

/// One brotli stream that is being undone.
final class BrotliDecoder {
  enum Status { case more, ended, broken }

  private let functions: brotli_functions
  private let state: OpaquePointer

  init?(_ library: BrotliLibrary) {
    functions = library.functions
    guard let state = functions.create(nil, nil, nil) else { return nil }
    self.state = state
  }

  deinit { functions.destroy(state) }

  /// Reads of `input`, and gives what comes of it, a piece at most.
  func step(_ input: inout ArraySlice<UInt8>) -> ([UInt8], Status) {
    var result: Int32 = 0
    var left = 0
    let made = [UInt8](unsafeUninitializedCapacity: ContentDecoder.pieceSize) { room, count in
      input.withUnsafeBufferPointer { bytes in
        var next = bytes.baseAddress
        var target = room.baseAddress
        var free = room.count
        left = bytes.count
        result = functions.decompress(state, &left, &next, &free, &target, nil)
        count = room.count - free
      }
    }
    input = input.dropFirst(input.count - left)
    switch result {
    case 0: return (made, .broken)
    case 1: return (made, .ended)
    default: return (made, .more)
    }
  }
}
