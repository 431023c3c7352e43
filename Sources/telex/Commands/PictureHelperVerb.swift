internal import ArgumentParser
internal import Pictures

/// Decodes one picture. Started by the reader, not by the user.
struct PictureHelperVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "picture-helper", abstract: "Decode a picture.", shouldDisplay: false)

  @Option var columns = 80
  @Option var rows = 24
  @Option(help: "How many colours the terminal has.")
  var colors = 256
  @Option var symbols = PictureSymbols.half
  @Option(help: .value("WxH", "The size of a cell in pixels."))
  var cell = PictureSize.usualCell
  @Option(help: .value("RRGGBB", "The colour behind the picture."))
  var background = "000000"
  @Flag(help: "Write the pixels of the picture besides its cells.")
  var pixels = false
  @Flag(help: "Enlarge a picture that has fewer pixels.")
  var fill = false
  @Option(help: ArgumentHelp("Do as if this library were not installed.", visibility: .hidden))
  var without: [PictureLibrary] = []
  @Flag(help: ArgumentHelp("Try what a confined process may not do.", visibility: .hidden))
  var prove = false

  func validate() throws {
    let sides = 1...Rendition.longestSide
    try refuse(
      !sides.contains(columns) || !sides.contains(rows),
      "Columns and rows are 1 to \(Rendition.longestSide).")
    try refuse(
      UInt32(background, radix: 16) == nil || background.utf8.count != 6,
      "Give a colour as six hexadecimal digits.")
  }

  func run() throws {
    if prove { PictureHelper.runForProof() }
    var request = PictureRequest(
      columns: columns, rows: rows, colors: PictureColors(count: colors), symbols: symbols,
      cell: cell, background: UInt32(background, radix: 16) ?? 0, absent: Set(without))
    request.wantsPixels = pixels
    request.fills = fill
    PictureHelper.run(request)
  }
}

extension PictureSize: ExpressibleByArgument {
  /// `8x16`: width and height of a cell, 1 to 200 each.
  package init?(argument: String) {
    let sides = argument.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard sides.count == 2, let width = sides[0], let height = sides[1], 1...200 ~= width,
      1...200 ~= height
    else { return nil }
    self.init(width: width, height: height)
  }

  package var defaultValueDescription: String { "\(width)x\(height)" }
}

extension PictureSymbols: ExpressibleByArgument {}
extension PictureLibrary: ExpressibleByArgument {}
