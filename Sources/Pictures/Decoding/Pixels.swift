#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

/// Pixels in memory: red, green, blue and alpha, a byte each, row by row without gaps. Colours are not
/// multiplied by alpha.
final class Pixels {
  let size: PictureSize
  /// `size.width * size.height * 4` bytes.
  let bytes: UnsafeMutablePointer<UInt8>

  var width: Int { size.width }
  var height: Int { size.height }
  var bytesPerRow: Int { size.width * 4 }

  /// All of them transparent.
  ///
  /// - Throws: `PictureError.tooLarge` where the size is over the bounds, or memory is short.
  init(_ size: PictureSize) throws(PictureError) {
    try Self.check(size)
    guard let memory = calloc(size.width * size.height, 4) else {
      throw .tooLarge("no memory for \(size.width) x \(size.height) pixels")
    }
    self.size = size
    bytes = memory.assumingMemoryBound(to: UInt8.self)
  }

  deinit { free(bytes) }

  static func check(_ size: PictureSize) throws(PictureError) {
    guard size.isDecodable else {
      throw .tooLarge(
        "\(size.width) x \(size.height) pixels; \(PictureSize.longestSide) a side and "
          + "\(PictureSize.mostPixels >> 20) Mpixel are shown")
    }
  }

  func turned(_ orientation: Orientation) throws(PictureError) -> Pixels {
    guard orientation != .upright else { return self }
    let result = try Pixels(orientation.swapsSides ? size.turned : size)
    let (from, to) = (UnsafeMutableRawPointer(bytes), UnsafeMutableRawPointer(result.bytes))
    for y in 0..<result.height {
      for x in 0..<result.width {
        let source = orientation.source(x, y, in: size)
        let pixel = from.load(fromByteOffset: (source.y * width + source.x) * 4, as: UInt32.self)
        to.storeBytes(of: pixel, toByteOffset: (y * result.width + x) * 4, as: UInt32.self)
      }
    }
    return result
  }
}

/// The result of a decoder.
struct DecodedPicture {
  /// Of the file, as it is seen. The pixels may be fewer where the decoder made the picture smaller.
  var size: PictureSize
  var pixels: Pixels
}

/// A library that decodes files of one kind, opened.
protocol PictureDecoder {
  /// - Parameter target: The wanted pixels; more are welcome, and cost time.
  func decode(_ file: [UInt8], target: PictureSize) throws(PictureError) -> DecodedPicture
}

extension PictureKind {
  /// Opens the library. The file is not read here.
  func decoder() throws(PictureError) -> any PictureDecoder {
    switch self {
    case .png: try PNGDecoder()
    case .jpeg: try JPEGDecoder()
    case .gif: try GIFDecoder()
    case .webp: try WebPDecoder()
    case .avif: try AVIFDecoder()
    case .ico: try ICODecoder()
    }
  }
}
