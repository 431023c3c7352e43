internal import CPictures

/// JPEG by TurboJPEG. A large picture is decoded at a fraction of its size, which is much faster.
struct JPEGDecoder: PictureDecoder {
  private let functions: picture_jpeg

  init() throws(PictureError) {
    functions = try PictureLibrary.jpeg.open(picture_jpeg()) { picture_jpeg_open($0, &$1) == nil }
  }

  func decode(_ file: [UInt8], target: PictureSize) throws(PictureError) -> DecodedPicture {
    guard let handle = functions.open() else { throw .tooLarge("no memory") }
    defer { _ = functions.close(handle) }
    var (width, height, sampling, colors) = (Int32(0), Int32(0), Int32(0), Int32(0))
    let status = functions.header(
      handle, file, UInt(file.count), &width, &height, &sampling, &colors)
    guard status == 0 || isWarning(handle),
      let stored = PictureSize(width: Int(width), height: Int(height))
    else { throw .damaged(message(handle)) }
    try Pixels.check(stored)
    let orientation = JPEGHeader(ByteReader(file))?.orientation ?? .upright
    let size = orientation.swapsSides ? stored.turned : stored
    let wanted = orientation.swapsSides ? target.turned : target
    let isCMYK =
      colors == Int32(picture_jpeg_color_cmyk)
      || colors == Int32(picture_jpeg_color_ycck)
    let pixels = try Pixels(scaled(stored, to: wanted))
    // Scans that do nothing but take time are an attack; a warning is a picture with a flaw.
    let flags = picture_jpeg_fast_dct | picture_jpeg_limit_scans
    let result = functions.decode(
      handle, file, UInt(file.count), pixels.bytes, Int32(pixels.width), Int32(pixels.bytesPerRow),
      Int32(pixels.height),
      Int32(isCMYK ? picture_jpeg_cmyk : picture_jpeg_rgba), Int32(flags))
    guard result == 0 || isWarning(handle) else { throw .damaged(message(handle)) }
    if isCMYK { Self.convertInks(pixels) }
    return DecodedPicture(size: size, pixels: try pixels.turned(orientation))
  }

  /// The smallest size the library can decode to that is not below the wanted one.
  private func scaled(_ size: PictureSize, to wanted: PictureSize) -> PictureSize {
    var count: Int32 = 0
    guard let scales = functions.scales(&count) else { return size }
    let sizes = (0..<Int(count)).compactMap { index -> PictureSize? in
      let (part, whole) = (Int(scales[index].numerator), Int(scales[index].denominator))
      guard part <= whole, whole > 0 else { return nil }
      return PictureSize(
        width: (size.width * part + whole - 1) / whole,
        height: (size.height * part + whole - 1) / whole)
    }
    return sizes.filter { $0.width >= wanted.width && $0.height >= wanted.height }
      .min { $0.width < $1.width } ?? size
  }

  private func isWarning(_ handle: UnsafeMutableRawPointer) -> Bool {
    functions.severity(handle) == Int32(picture_jpeg_warning)
  }

  private func message(_ handle: UnsafeMutableRawPointer) -> String {
    functions.message(handle).map { String(cString: $0) } ?? "it has no size"
  }

  /// Inks to colours, in place. Adobe's programs, which write nearly all such files, store inks inverted.
  private static func convertInks(_ pixels: Pixels) {
    let bytes = pixels.bytes
    for index in 0..<pixels.width * pixels.height {
      let pixel = bytes + index * 4
      let black = UInt16(pixel[3])
      for channel in 0..<3 { pixel[channel] = UInt8(UInt16(pixel[channel]) * black / 255) }
      pixel[3] = 255
    }
  }
}
