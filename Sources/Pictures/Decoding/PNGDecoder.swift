internal import CPictures

/// PNG by libpng's simplified interface.
struct PNGDecoder: PictureDecoder {
  private let functions: picture_png

  init() throws(PictureError) {
    functions = try PictureLibrary.png.open(picture_png()) { picture_png_open($0, &$1) == nil }
  }

  func decode(_ file: [UInt8], target: PictureSize) throws(PictureError) -> DecodedPicture {
    var image = picture_png_image()
    image.version = UInt32(picture_png_version)
    defer { functions.free(&image) }
    // The library reads on in the file, so that it must not move between the two calls.
    return try file.withUnsafeBufferPointer { file throws(PictureError) in
      try decode(file, &image)
    }
  }

  private func decode(
    _ file: UnsafeBufferPointer<UInt8>, _ image: inout picture_png_image
  ) throws(PictureError) -> DecodedPicture {
    guard functions.begin(&image, file.baseAddress, file.count) != 0,
      let size = PictureSize(width: Int(image.width), height: Int(image.height))
    else { throw .damaged(Self.message(image)) }
    let pixels = try Pixels(size)
    image.format = UInt32(picture_png_rgba)
    // Without this 16 bits are taken for linear light, which no browser does.
    image.flags |= UInt32(picture_png_16_bits_are_srgb)
    guard functions.finish(&image, nil, pixels.bytes, Int32(pixels.bytesPerRow), nil) != 0 else {
      throw .damaged(Self.message(image))
    }
    return DecodedPicture(size: size, pixels: pixels)
  }

  private static func message(_ image: picture_png_image) -> String {
    withUnsafeBytes(of: image.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
