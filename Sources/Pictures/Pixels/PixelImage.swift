/// The pixels of a picture for a terminal: red, green, blue and alpha, a byte each, row by row.
package struct PixelImage: Hashable, Sendable {
  /// The most pixels of one.
  package static let mostPixels = 3 << 20

  package let size: PictureSize
  /// `size.width * size.height * 4` of them. Colours are not multiplied by alpha.
  package let bytes: [UInt8]

  /// Nil where the bytes are not those of the size, or too many.
  package init?(size: PictureSize, bytes: [UInt8]) {
    guard size.width <= Self.mostPixels, size.height <= Self.mostPixels,
      size.width * size.height <= Self.mostPixels, bytes.count == size.width * size.height * 4
    else { return nil }
    self.size = size
    self.bytes = bytes
  }

  /// A picture that fills a size; where that has too many pixels, half of it each way, or a quarter …
  init?(_ pixels: Pixels, filling size: PictureSize) {
    var (width, height) = (size.width, size.height)
    while width * height > Self.mostPixels { (width, height) = (width / 2, height / 2) }
    guard let size = PictureSize(width: width, height: height) else { return nil }
    self.size = size
    bytes = AreaScaling(pixels, to: size).bytes()
  }
}

/// Each pixel of the result is the mean of the area that it covers.
private struct AreaScaling {
  /// The pixels of a line that make one pixel of the result.
  private struct Span {
    var start: Int
    var weights: [Float]
  }

  private let pixels: Pixels
  private let columns: [Span]
  private let rows: [Span]

  init(_ pixels: Pixels, to size: PictureSize) {
    self.pixels = pixels
    columns = Self.spans(from: pixels.width, to: size.width)
    rows = Self.spans(from: pixels.height, to: size.height)
  }

  private static func spans(from length: Int, to count: Int) -> [Span] {
    let step = Double(length) / Double(count)
    return (0..<count).map { index in
      let (low, high) = (Double(index) * step, Double(index + 1) * step)
      let start = min(Int(low), length - 1)
      let end = max(start + 1, min(length, Int(high.rounded(.up))))
      let weights = (start..<end).map { place in
        Float(max(0, min(high, Double(place + 1)) - max(low, Double(place))))
      }
      let sum = weights.reduce(0, +)
      return Span(start: start, weights: sum > 0 ? weights.map { $0 / sum } : [1])
    }
  }

  func bytes() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: columns.count * rows.count * 4) { space, count in
      var line = [SIMD4<Float>](repeating: .zero, count: columns.count)
      var offset = 0
      for row in rows {
        for index in line.indices { line[index] = .zero }
        for (step, weight) in row.weights.enumerated() { add(row.start + step, weight, to: &line) }
        for sum in line {
          let alpha = sum.w
          let color = alpha > 0 ? sum / (alpha / 255) : .zero
          for channel in 0..<3 { space[offset + channel] = UInt8(min(255, color[channel] + 0.5)) }
          space[offset + 3] = UInt8(min(255, alpha + 0.5))
          offset += 4
        }
      }
      count = offset
    }
  }

  /// Adds a row of the picture, its colours multiplied by alpha.
  private func add(_ y: Int, _ weight: Float, to line: inout [SIMD4<Float>]) {
    let row = pixels.bytes + y * pixels.bytesPerRow
    for (x, span) in columns.enumerated() {
      var sum = SIMD4<Float>.zero
      var pixel = row + span.start * 4
      for part in span.weights {
        let alpha = Float(pixel[3])
        let share = part * alpha / 255
        sum += SIMD4(
          Float(pixel[0]) * share, Float(pixel[1]) * share, Float(pixel[2]) * share, part * alpha)
        pixel += 4
      }
      line[x] += sum * weight
    }
  }
}
