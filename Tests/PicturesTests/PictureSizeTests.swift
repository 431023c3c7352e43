import Pictures
import Testing

@Suite struct PictureSizeTests {
  static let sizes: [(String, Int, Int)] =
    [
      "quarters.png", "quarters.jpg", "quarters.gif", "quarters.avif", "lossy.webp",
      "lossless.webp", "progressive.jpg", "inks.jpg", "interlaced.gif", "palette.png",
      "half-transparent.png", "half-transparent.gif", "half-transparent.webp",
      "half-transparent.avif", "animation.gif", "animation.webp", "animation.avif", "bitmaps.ico",
      "mask.ico", "png.ico",
    ].map { ($0, 64, 64) }
    + (1...8).map { ("orientation-\($0).jpg", 64, 32) }
    + [
      ("turned.avif", 64, 32), ("large.jpg", 1600, 1200), ("wide.png", 400, 100),
      ("dot.png", 1, 1), ("bomb.png", 30_000, 30_000), ("bomb.gif", 65_535, 65_535),
    ]

  @Test(arguments: sizes)
  func `The header says how large a picture is`(name: String, width: Int, height: Int) throws {
    #expect(try PictureSize.of(picture(name)) == PictureSize(width: width, height: height))
  }

  @Test(arguments: sizes)
  func `A file that ends early has its size or none`(name: String, width: Int, height: Int) throws {
    let file = try picture(name)
    var found = 0
    for end in file.indices.prefix(2_000) {
      guard let size = PictureSize.of(Array(file[..<end])) else {
        #expect(found == 0, "\(end) bytes have no size, fewer had one")
        continue
      }
      #expect(size == PictureSize(width: width, height: height), "\(end) bytes")
      found += 1
    }
    #expect(found > 0)
  }

  @Test func `The signature says what a file is`() throws {
    for (name, _, _) in Self.sizes {
      let ending = try #require(name.split(separator: ".").last)
      let kind: PictureKind? = ending == "jpg" ? .jpeg : PictureKind(rawValue: String(ending))
      #expect(try PictureKind.of(picture(name)) == kind, "\(name)")
    }
    for text in [
      "", "GIF", "<svg xmlns='http://www.w3.org/2000/svg'/>", "RIFF1234WAVE", "BM123456",
    ] {
      #expect(PictureKind.of(Array(text.utf8)) == nil, "\(text)")
      #expect(PictureSize.of(Array(text.utf8)) == nil, "\(text)")
    }
  }

  /// Width, height, columns, rows, and the cells that come of it with cells of 8 × 16.
  @Test(arguments: [
    (640, 480, 80, 24, 64, 24), (64, 64, 80, 24, 8, 4), (64, 64, 4, 24, 4, 2),
    (400, 100, 80, 24, 50, 6), (400, 100, 10, 24, 10, 1), (100, 4000, 80, 24, 1, 24),
    (1, 1, 80, 24, 1, 1), (10_000, 1, 80, 24, 80, 1), (1, 10_000, 80, 24, 1, 24),
    (4_294_967_295, 4_294_967_295, 1000, 1000, 1000, 500),
  ])
  func `A picture keeps its aspect ratio and is not enlarged`(
    width: Int, height: Int, columns: Int, rows: Int, expectedColumns: Int, expectedRows: Int
  ) throws {
    let size = try #require(PictureSize(width: width, height: height))
    let cells = size.cells(columns: columns, rows: rows, cell: .usualCell)
    #expect(cells == (expectedColumns, expectedRows))
  }
}
