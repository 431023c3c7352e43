internal import CPictures

/// WebP by libwebp; of an animation the first frame.
struct WebPDecoder: PictureDecoder {
  private let functions: picture_webp

  init() throws(PictureError) {
    functions = try PictureLibrary.webp.open(picture_webp()) { picture_webp_open($0, &$1) == nil }
  }

  func decode(_ file: [UInt8], target: PictureSize) throws(PictureError) -> DecodedPicture {
    let reader = ByteReader(file)
    guard let frame = WebPHeader.firstFrame(reader) else {
      let pixels = try still(file)
      return DecodedPicture(size: pixels.size, pixels: pixels)
    }
    guard let size = WebPHeader.size(reader) else { throw .damaged("it has no size") }
    let canvas = try Pixels(size)
    let part = try still(frame.file)
    let width = min(part.width, canvas.width - frame.left)
    if width > 0 {
      for row in 0..<max(min(part.height, canvas.height - frame.top), 0) {
        (canvas.bytes + ((frame.top + row) * canvas.width + frame.left) * 4)
          .update(from: part.bytes + row * part.bytesPerRow, count: width * 4)
      }
    }
    return DecodedPicture(size: size, pixels: canvas)
  }

  private func still(_ file: [UInt8]) throws(PictureError) -> Pixels {
    var (width, height) = (Int32(0), Int32(0))
    guard functions.info(file, file.count, &width, &height) != 0,
      let size = PictureSize(width: Int(width), height: Int(height))
    else { throw .damaged("libwebp finds no header") }
    let pixels = try Pixels(size)
    let end = functions.decode(
      file, file.count, pixels.bytes, pixels.bytesPerRow * size.height, Int32(pixels.bytesPerRow))
    guard end != nil else { throw .damaged("libwebp cannot decode it") }
    return pixels
  }
}
