internal import CPictures

/// AVIF by libheif, turned as the file says.
struct AVIFDecoder: PictureDecoder {
  private let functions: picture_heif

  init() throws(PictureError) {
    functions = try PictureLibrary.avif.open(picture_heif()) { picture_heif_open($0, &$1) == nil }
  }

  func decode(_ file: [UInt8], target: PictureSize) throws(PictureError) -> DecodedPicture {
    try file.withUnsafeBufferPointer { bytes throws(PictureError) in
      try decode(UnsafeRawBufferPointer(bytes))
    }
  }

  private func decode(_ file: UnsafeRawBufferPointer) throws(PictureError) -> DecodedPicture {
    guard let context = functions.open() else { throw .tooLarge("no memory") }
    defer { functions.close(context) }
    functions.limit_size(context, Int32(PictureSize.longestSide))
    try check(functions.read(context, file.baseAddress, file.count, nil))
    var handle: UnsafeMutableRawPointer?
    try check(functions.primary(context, &handle))
    defer { functions.release_handle(handle) }
    guard
      let size = PictureSize(
        width: Int(functions.width(handle)), height: Int(functions.height(handle)))
    else { throw .damaged("it has no size") }
    try Pixels.check(size)
    var image: UnsafeMutableRawPointer?
    try check(
      functions.decode(
        handle, &image, Int32(picture_heif_rgb),
        Int32(picture_heif_interleaved_rgba), nil))
    defer { functions.release_image(image) }
    let channel = Int32(picture_heif_interleaved)
    var bytesPerRow: Int32 = 0
    guard let plane = functions.plane(image, channel, &bytesPerRow),
      let decoded = PictureSize(
        width: Int(functions.image_width(image, channel)),
        height: Int(functions.image_height(image, channel))),
      Int(bytesPerRow) >= decoded.width * 4
    else { throw .damaged("libheif gives no pixels") }
    let pixels = try Pixels(decoded)
    for row in 0..<pixels.height {
      (pixels.bytes + row * pixels.bytesPerRow)
        .update(from: plane + row * Int(bytesPerRow), count: pixels.bytesPerRow)
    }
    return DecodedPicture(size: decoded, pixels: pixels)
  }

  private func check(_ error: picture_heif_error) throws(PictureError) {
    guard error.code != 0 else { return }
    throw .damaged(error.message.map { String(cString: $0) } ?? "libheif's error \(error.code)")
  }
}
