import Foundation
import Pictures
import Requirements
import TestSupport
import Testing

/// The pixels that the helper sends, and what terminals get of them.
@Suite(.needs(.decoders), .serialized, .timeLimit(.minutes(10)))
struct PixelImageTests {
  private static let cells = [
    "--columns", "8", "--rows", "4", "--cell", "8x16", "--pixels", "--colors", "256",
  ]

  private func image(_ name: String, _ arguments: [String] = cells) async throws -> PixelImage {
    try #require(try await HelperRun.rendition(arguments, on: picture(name)).pixels)
  }

  private func color(_ image: PixelImage, _ x: Int, _ y: Int) -> [UInt8] {
    let start = (y * image.size.width + x) * 4
    return Array(image.bytes[start..<start + 4])
  }

  private func isNear(_ color: [UInt8], _ other: [UInt8]) -> Bool {
    zip(color, other).allSatisfy { abs(Int($0) - Int($1)) <= 64 }
  }

  @Test(arguments: HelperTests.quarters)
  func `The pixels of every kind of file fill the cells`(name: String) async throws {
    let rendition = try await HelperRun.rendition(Self.cells, on: picture(name))
    let image = try #require(rendition.pixels)
    let (width, height) = (image.size.width, image.size.height)
    #expect(width == rendition.columns * 8 && height == rendition.rows * 16)
    let quarters: [[UInt8]] = [
      [255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [255, 255, 0, 255],
    ]
    for (index, quarter) in quarters.enumerated() {
      let x = width / 4 + index % 2 * width / 2
      let y = height / 4 + index / 2 * height / 2
      #expect(isNear(color(image, x, y), quarter), "\(color(image, x, y))")
    }
  }

  @Test(arguments: ["png", "gif", "webp", "avif"])
  func `What is transparent stays so`(kind: String) async throws {
    let image = try await image("half-transparent.\(kind)")
    let (width, height) = (image.size.width, image.size.height)
    #expect(color(image, width / 4, height / 4)[3] == 0)
    #expect(color(image, width * 3 / 4, height / 4)[3] == 255)
    let indexed = image.indexed(colors: 255, on: 0)
    #expect(indexed.indices[height / 4 * width + width / 4] == 255)
    #expect(indexed.indices[height / 4 * width + width * 3 / 4] < 255)
  }

  @Test func `Pixels are sent where they are asked for, and have a bound`() async throws {
    #expect(try await HelperRun.rendition([], on: picture("quarters.png")).pixels == nil)
    let large = try await image(
      "large.jpg",
      ["--columns", "400", "--rows", "200", "--cell", "20x40", "--pixels", "--colors", "256"])
    #expect(large.size.width * large.size.height <= PixelImage.mostPixels)
  }

  @Test func `A rendition with pixels is read as it was written, and no other`() async throws {
    let rendition = try await HelperRun.rendition(Self.cells, on: picture("quarters.png"))
    let bytes = rendition.bytes
    #expect(try Rendition(bytes: bytes) == rendition)
    #expect(throws: Rendition.Malformed.self) { try Rendition(bytes: bytes.dropLast()) }
    #expect(throws: Rendition.Malformed.self) { try Rendition(bytes: bytes + [0]) }
    let start = bytes.count - (rendition.pixels?.bytes.count ?? 0)
    for offset in [start - 12, start - 8, start - 4] {
      var changed = bytes
      changed[offset] ^= 1
      #expect(throws: Rendition.Malformed.self) { try Rendition(bytes: changed) }
    }
  }

  /// The same library reads the file that reads those of others.
  @Test func `A file for the terminal has the same pixels`() async throws {
    let image = try await image("half-transparent.png")
    let file = try #require(Data(base64Encoded: Data(image.png)))
    let again = try #require(
      try await HelperRun.rendition(Self.cells, on: Array(file)).pixels)
    #expect(again == image)
  }

  @Test func `Compressed pixels are smaller, and in Base64`() async throws {
    let image = try await image("quarters.png")
    let data = try #require(Data(base64Encoded: Data(image.compressed)))
    // The head of RFC 1950.
    #expect(data.first == 0x78 && data.count < image.bytes.count / 4)
  }

  @Test(arguments: [2, 16, 255])
  func `Few colours are those of the picture`(count: Int) async throws {
    let image = try await image("quarters.png")
    let indexed = image.indexed(colors: count, on: 0)
    #expect(indexed.palette.count <= count && indexed.indices.count == image.bytes.count / 4)
    #expect(indexed.indices.allSatisfy { Int($0) < indexed.palette.count })
    guard count > 2 else { return }
    for (x, y) in [(2, 2), (image.size.width - 2, 2), (2, image.size.height - 2)] {
      let index = Int(indexed.indices[y * image.size.width + x])
      let rgb = indexed.palette[index]
      #expect(
        isNear([16, 8, 0].map { UInt8(rgb >> $0 & 0xFF) }, Array(color(image, x, y).prefix(3))))
    }
  }
}
