internal import CPictures

/// The first frame of a GIF on its canvas, by giflib.
struct GIFDecoder: PictureDecoder {
  private let functions: picture_gif

  init() throws(PictureError) {
    functions = try PictureLibrary.gif.open(picture_gif()) { picture_gif_open($0, &$1) == nil }
  }

  func decode(_ file: [UInt8], target: PictureSize) throws(PictureError) -> DecodedPicture {
    try file.withUnsafeBufferPointer { bytes throws(PictureError) in
      var input = Input(rest: bytes)
      return try withUnsafeMutablePointer(to: &input) { input throws(PictureError) in
        try decode(input)
      }
    }
  }

  /// The unread rest of the file.
  private struct Input {
    var rest: UnsafeBufferPointer<UInt8>
  }

  private func decode(_ input: UnsafeMutablePointer<Input>) throws(PictureError) -> DecodedPicture {
    var error: Int32 = 0
    let opened = functions.open(
      input,
      { file, bytes, count in
        guard let file, let bytes, count > 0, let data = file.pointee.user_data else { return 0 }
        let input = data.assumingMemoryBound(to: Input.self)
        let rest = input.pointee.rest
        let length = min(Int(count), rest.count)
        guard length > 0, let start = rest.baseAddress else { return 0 }
        bytes.update(from: start, count: length)
        input.pointee.rest = UnsafeBufferPointer(rebasing: rest.dropFirst(length))
        return Int32(length)
      }, &error)
    guard let gif = opened else { throw .damaged("giflib's error \(error)") }
    defer { _ = functions.close(gif, &error) }
    guard let size = PictureSize(width: Int(gif.pointee.width), height: Int(gif.pointee.height))
    else { throw .damaged("it has no size") }
    let pixels = try Pixels(size)
    var transparent: Int?
    while true {
      var record: Int32 = 0
      try check(gif, functions.record(gif, &record))
      switch record {
      case Int32(picture_gif_extension):
        transparent = try readExtension(gif) ?? transparent
      case Int32(picture_gif_image):
        try check(gif, functions.image(gif))
        try drawFrame(gif, on: pixels, transparent: transparent)
        return DecodedPicture(size: size, pixels: pixels)
      default: throw .damaged("it has no frame")
      }
    }
  }

  /// The colour that is transparent where the extension says so.
  private func readExtension(_ gif: UnsafeMutablePointer<picture_gif_file>) throws(PictureError)
    -> Int?
  {
    var code: Int32 = 0
    var block: UnsafeMutablePointer<UInt8>?
    var transparent: Int?
    try check(gif, functions.extension(gif, &code, &block))
    while let bytes = block {
      // A length, flags, a delay of 16 bits, the colour.
      if code == Int32(picture_gif_graphics_control), bytes[0] >= 4, bytes[1] & 1 == 1 {
        transparent = Int(bytes[4])
      }
      try check(gif, functions.next_extension(gif, &block))
    }
    return transparent
  }

  /// Draws the part of a frame that lies on the canvas.
  private func drawFrame(
    _ gif: UnsafeMutablePointer<picture_gif_file>, on pixels: Pixels, transparent: Int?
  ) throws(PictureError) {
    let image = gif.pointee.image
    let (left, top) = (Int(image.left), Int(image.top))
    guard let size = PictureSize(width: Int(image.width), height: Int(image.height)) else {
      throw .damaged("its frame has no size")
    }
    try Pixels.check(size)
    guard let map = image.colors ?? gif.pointee.colors, let colors = map.pointee.colors else {
      throw .damaged("it has no colours")
    }
    let count = Int(map.pointee.count)
    var line = [UInt8](repeating: 0, count: size.width)
    let width = min(size.width, pixels.width - left)
    for row in Self.rows(size.height, isInterlaced: image.is_interlaced) {
      try check(gif, functions.line(gif, &line, Int32(size.width)))
      guard top + row < pixels.height, width > 0 else { continue }
      var pixel = pixels.bytes + ((top + row) * pixels.width + left) * 4
      for x in 0..<width {
        let index = Int(line[x])
        if index != transparent, index < count {
          let color = colors[index]
          (pixel[0], pixel[1], pixel[2], pixel[3]) = (color.red, color.green, color.blue, 255)
        }
        pixel += 4
      }
    }
  }

  /// The order in which rows are stored.
  private static func rows(_ height: Int, isInterlaced: Bool) -> [Int] {
    guard isInterlaced else { return Array(0..<height) }
    return [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { start, step in
      Array(stride(from: start, to: height, by: step))
    }
  }

  private func check(
    _ gif: UnsafeMutablePointer<picture_gif_file>, _ status: Int32
  ) throws(PictureError) {
    guard status != 0 else { throw .damaged("giflib's error \(gif.pointee.error)") }
  }
}
