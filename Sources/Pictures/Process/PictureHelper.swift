// The front door of the module for a process that decodes one picture; other processes need `PictureSize`, `Rendition`
// and `PictureError`.

internal import CPictures

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

/// Request to a process that decodes one picture.
package struct PictureRequest: Sendable {
  /// The available cells, 1 to `Rendition.longestSide` each way.
  package var columns: Int
  package var rows: Int
  package var colors: PictureColors
  package var symbols: PictureSymbols
  /// Of a cell, in pixels.
  package var cell: PictureSize
  /// The colour behind transparent pixels: 0xRRGGBB.
  package var background: UInt32
  /// Whether the pixels are wanted besides the cells.
  package var wantsPixels = false
  /// Whether a smaller picture is enlarged to the available cells.
  package var fills = false
  /// Libraries that are treated as if they were not installed.
  package var absent: Set<PictureLibrary> = []

  package init(
    columns: Int, rows: Int, colors: PictureColors, symbols: PictureSymbols, cell: PictureSize,
    background: UInt32 = 0, absent: Set<PictureLibrary> = []
  ) {
    self.columns = columns
    self.rows = rows
    self.colors = colors
    self.symbols = symbols
    self.cell = cell
    self.background = background
    self.absent = absent
  }
}

/// Decodes a picture from standard input to standard output, in a process of its own that is confined
/// before the library sees the file (`Confinement`) and ends afterwards.
package enum PictureHelper {
  /// The most bytes of a file.
  package static let mostBytes = 32 << 20

  /// Writes a `Rendition` of the picture. Does not return: the exit status is 0, or that of a
  /// `PictureError`, whose message is then a line on standard error.
  package static func run(_ request: PictureRequest) -> Never {
    finish { () throws(PictureError) in
      Confinement.leaveSurroundings()
      // Before the file: it may still be on its way.
      let chafa = request.absent.contains(.chafa) ? nil : try? ChafaDrawing()
      let file = try StandardStream.input(atMost: mostBytes)
      guard let kind = PictureKind.of(file) else { throw .unknownKind }
      if let size = PictureSize.of(file) { try Pixels.check(size) }
      let library = PictureLibrary(kind)
      guard !request.absent.contains(library) else { throw .noLibrary(library) }
      let decoder = try kind.decoder()
      try Confinement.enter()
      return try rendition(of: file, request, decoder, chafa).bytes
    }
  }

  /// Confines the process as for a picture, and writes the results of forbidden calls, a line for each. Does not return.
  package static func runForProof() -> Never {
    finish { () throws(PictureError) in
      Confinement.leaveSurroundings()
      try Confinement.enter()
      return Array(Confinement.attempts().map { "\($0)\n" }.joined().utf8)
    }
  }

  private static func rendition(
    of file: [UInt8], _ request: PictureRequest, _ decoder: any PictureDecoder,
    _ chafa: ChafaDrawing?
  ) throws(PictureError) -> Rendition {
    // Chafa looks at eight pixels a cell each way.
    let wide = request.columns * max(request.cell.width, 8)
    let high = request.rows * max(request.cell.height, 8)
    guard let most = PictureSize(width: wide, height: high) else { throw .tooLarge("the cells") }
    let picture = try decoder.decode(file, target: target(PictureSize.of(file), within: most))
    let (columns, rows) = picture.size.cells(
      columns: request.columns, rows: request.rows, cell: request.cell, fills: request.fills)
    let drawing = CellDrawing(
      columns: columns, rows: rows, colors: request.colors, symbols: request.symbols,
      background: request.background & 0xFF_FFFF)
    let cells =
      try chafa?.cells(picture.pixels, drawing, cell: request.cell)
      ?? HalfBlockDrawing().cells(picture.pixels, drawing)
    var pixels: PixelImage?
    if request.wantsPixels,
      let size = PictureSize(
        width: columns * request.cell.width, height: rows * request.cell.height)
    {
      pixels = PixelImage(picture.pixels, filling: size)
    }
    return Rendition(size: picture.size, columns: columns, rows: rows, cells: cells, pixels: pixels)
  }

  /// The pixels that are worth decoding.
  private static func target(_ size: PictureSize?, within most: PictureSize) -> PictureSize {
    guard let size else { return most }
    let one = PictureSize(width: 1, height: 1) ?? most
    let (width, height) = size.cells(columns: most.width, rows: most.height, cell: one)
    return PictureSize(width: width, height: height) ?? most
  }

  private static func finish(_ body: () throws(PictureError) -> [UInt8]) -> Never {
    do throws(PictureError) {
      let bytes = try body()
      guard StandardStream.send(bytes, to: STDOUT_FILENO) else { _exit(1) }
      _exit(0)
    } catch {
      let line = Array("telex picture-helper: \(error.message)\n".utf8)
      _ = StandardStream.send(line, to: STDERR_FILENO)
      _exit(error.status.rawValue)
    }
  }
}

/// Standard input, output and error, without buffers.
private enum StandardStream {
  /// All of standard input.
  static func input(atMost most: Int) throws(PictureError) -> [UInt8] {
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(STDIN_FILENO, &part, part.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .damaged("standard input cannot be read") }
      guard count > 0 else { return bytes }
      guard bytes.count + count <= most else { throw .tooLarge("more than \(most >> 20) MiB") }
      bytes += part[..<count]
    }
  }

  static func send(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let count = write(descriptor, rest.base.baseAddress! + rest.startIndex, rest.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }
  }
}
