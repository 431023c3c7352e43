/// A picture of few colours, for terminals that show no more.
package struct IndexedImage: Hashable, Sendable {
  package let size: PictureSize
  /// 0xRRGGBB.
  package let palette: [UInt32]
  /// A place in `palette` for each pixel, row by row; 255 for those that show nothing.
  package let indices: [UInt8]
}

extension PixelImage {
  /// The picture in at most so many of its own colours (2 to 255), found by median cut. Few colours are mixed of
  /// neighbouring pixels.
  ///
  /// - Parameter background: the colour behind partly transparent pixels: 0xRRGGBB.
  package func indexed(colors: Int, on background: UInt32) -> IndexedImage {
    let table = ColorTable(self, colors: min(max(colors, 2), 255), background)
    return IndexedImage(size: size, palette: table.palette, indices: table.indices(of: self))
  }
}

/// The colours of a picture, and which of them is nearest to any other. Five bits of each channel count.
private struct ColorTable {
  private(set) var palette: [UInt32] = []
  private let background: UInt32

  private static let bins = 1 << 15

  init(_ image: PixelImage, colors: Int, _ background: UInt32) {
    self.background = background
    var sums = [SIMD4<UInt32>](repeating: .zero, count: Self.bins)
    image.bytes.withUnsafeBufferPointer { bytes in
      sums.withUnsafeMutableBufferPointer { sums in
        for offset in stride(from: 0, to: bytes.count, by: 4) where bytes[offset + 3] >= 128 {
          let color = Self.color(bytes, offset, background)
          sums[Self.bin(color)] &+= SIMD4(UInt32(color.x), UInt32(color.y), UInt32(color.z), 1)
        }
      }
    }
    var boxes = [Box(sums.indices.filter { sums[$0].w > 0 }, sums)]
    while boxes.count < colors {
      guard let index = boxes.indices.max(by: { boxes[$0].worth < boxes[$1].worth }),
        let halves = boxes[index].halves(sums)
      else { break }
      boxes[index] = halves.0
      boxes.append(halves.1)
    }
    palette = boxes.compactMap { $0.mean(sums) }
    if palette.isEmpty { palette = [background] }
  }

  func indices(of image: PixelImage) -> [UInt8] {
    var nearest = [UInt8](repeating: .max, count: Self.bins)
    let parts = palette.map(Self.parts)
    // An error that is handed on to the next pixels costs time and length; with many colours nobody sees it.
    let mixes = palette.count < 64
    let width = image.size.width
    var errors = [SIMD4<Int32>](repeating: .zero, count: width + 2)
    var next = errors
    return [UInt8](unsafeUninitializedCapacity: image.bytes.count / 4) { space, count in
      image.bytes.withUnsafeBufferPointer { bytes in
        for y in 0..<image.size.height {
          for x in 0..<width {
            let offset = (y * width + x) * 4
            guard bytes[offset + 3] >= 128 else {
              space[offset / 4] = .max
              continue
            }
            var color = Self.color(bytes, offset, background)
            if mixes {
              color = (color &+ errors[x + 1] / 16).clamped(
                lowerBound: .zero, upperBound: SIMD4(repeating: 255))
            }
            let bin = Self.bin(color)
            if nearest[bin] == .max { nearest[bin] = Self.nearest(bin, parts) }
            space[offset / 4] = nearest[bin]
            guard mixes else { continue }
            let error = color &- parts[Int(nearest[bin])]
            errors[x + 2] &+= error &* 7
            next[x] &+= error &* 3
            next[x + 1] &+= error &* 5
            next[x + 2] &+= error
          }
          if mixes {
            swap(&errors, &next)
            for index in next.indices { next[index] = .zero }
          }
        }
      }
      count = image.bytes.count / 4
    }
  }

  private static func nearest(_ bin: Int, _ palette: [SIMD4<Int32>]) -> UInt8 {
    let color =
      SIMD4(Int32(bin >> 10 & 31), Int32(bin >> 5 & 31), Int32(bin & 31), 0) &* 8
      &+ SIMD4(4, 4, 4, 0)
    var (best, least) = (0, Int32.max)
    for (index, other) in palette.enumerated() {
      let difference = color &- other
      let distance = (difference &* difference &* SIMD4(2, 4, 3, 0)).wrappedSum()
      if distance < least { (best, least) = (index, distance) }
    }
    return UInt8(best)
  }

  private static func color(
    _ bytes: UnsafeBufferPointer<UInt8>, _ offset: Int, _ background: UInt32
  ) -> SIMD4<Int32> {
    let color = SIMD4(Int32(bytes[offset]), Int32(bytes[offset + 1]), Int32(bytes[offset + 2]), 0)
    let alpha = Int32(bytes[offset + 3])
    guard alpha < 255 else { return color }
    return (color &* alpha &+ parts(background) &* (255 - alpha)) / 255
  }

  private static func parts(_ rgb: UInt32) -> SIMD4<Int32> {
    SIMD4(Int32(rgb >> 16 & 0xFF), Int32(rgb >> 8 & 0xFF), Int32(rgb & 0xFF), 0)
  }

  private static func bin(_ color: SIMD4<Int32>) -> Int {
    Int(color.x >> 3) << 10 | Int(color.y >> 3) << 5 | Int(color.z >> 3)
  }

  /// Colours that become one.
  private struct Box {
    private var bins: [Int]
    private var count = 0
    /// The channel that differs most, as the shift of its bits in a bin, and by how much.
    private var shift = 0
    private var extent = 0

    init(_ bins: [Int], _ sums: [SIMD4<UInt32>]) {
      self.bins = bins
      for bin in bins { count += Int(sums[bin].w) }
      for shift in [10, 5, 0] {
        var (low, high) = (31, 0)
        for bin in bins {
          low = min(low, bin >> shift & 31)
          high = max(high, bin >> shift & 31)
        }
        if high - low > extent { (self.shift, extent) = (shift, high - low) }
      }
    }

    /// The gain of cutting it: many pixels, far from each other.
    var worth: Int { extent * extent * count }

    func halves(_ sums: [SIMD4<UInt32>]) -> (Box, Box)? {
      guard extent > 0 else { return nil }
      let sorted = bins.sorted { $0 >> shift & 31 < $1 >> shift & 31 }
      var (seen, cut) = (0, 0)
      while cut < sorted.count - 1, seen + Int(sums[sorted[cut]].w) <= count / 2 {
        seen += Int(sums[sorted[cut]].w)
        cut += 1
      }
      cut = max(cut, 1)
      return (Box(Array(sorted[..<cut]), sums), Box(Array(sorted[cut...]), sums))
    }

    func mean(_ sums: [SIMD4<UInt32>]) -> UInt32? {
      guard count > 0 else { return nil }
      var sum = SIMD4<UInt64>.zero
      for bin in bins { sum &+= SIMD4<UInt64>(truncatingIfNeeded: sums[bin]) }
      let mean = sum / sum.w
      return UInt32(mean.x) << 16 | UInt32(mean.y) << 8 | UInt32(mean.z)
    }
  }
}
