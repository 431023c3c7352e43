internal import CursesTerminal
internal import News
internal import Pictures
internal import Reader
internal import Screen
internal import Synchronization
internal import TelexKit

/// Loads pictures of articles as cells and pixels.
struct PictureShow: Sendable {
  let pictures: ArticlePictures
  /// Nil where the terminal is not known yet.
  let style: PictureStyle?
  /// Nil to show pictures as words.
  let look: PictureLook?
  let subscriptions: Subscriptions

  /// The room for pictures in articles of a feed; nil to show them as words.
  func room(in feed: FeedID) async -> PictureRoom? {
    guard let look, let style else { return nil }
    guard (try? await subscriptions.settings(of: feed).hidesPictures) != true else { return nil }
    let pictures = pictures
    return PictureRoom(
      rows: look.rows, cell: PixelSize(width: style.cell.width, height: style.cell.height)
    ) { url in
      pictures.size(of: url, in: feed).map { PixelSize(width: $0.width, height: $0.height) }
    }
  }

  /// - Parameter support: nil without pixels.
  /// - Returns: nil while the terminal is not known.
  /// - Throws: `SourceError`, `CancellationError`.
  func picture(_ wish: PictureWish, _ support: PixelSupport?) async throws -> CellPicture? {
    guard var style else { return nil }
    style.hasPixels = support != nil
    style.fills = wish.fills
    let rendition = try await pictures.rendition(
      of: wish.url, in: wish.feed, columns: wish.columns, rows: wish.rows, style)
    return await Self.picture(rendition, support, style.background)
  }

  /// The icon of a feed as pixels over blank cells; nil without one.
  ///
  /// - Throws: `SourceError`, `CancellationError`.
  func icon(
    of feed: FeedID, _ icons: FeedIcons, mayFetch: Bool, _ support: PixelSupport
  ) async throws -> CellPicture? {
    guard var style else { return nil }
    style.hasPixels = true
    let rendition = try await icons.rendition(
      of: feed, columns: 2, rows: 1, style, mayFetch: mayFetch)
    guard let rendition, rendition.columns == 2, rendition.rows == 1 else { return nil }
    let picture = await Self.picture(rendition, support, style.background)
    return CellPicture(
      columns: 2, rows: 1, cells: [Cell](repeating: .blank, count: 2), pixels: picture.pixels)
  }

  /// Encodes the pixels off the main actor.
  @concurrent
  private static func picture(
    _ rendition: Rendition, _ support: PixelSupport?, _ background: UInt32
  ) async -> CellPicture {
    let pixels = support.flatMap { support in
      rendition.pixels.map { PixelPicture($0, support, background) }
    }
    return CellPicture(rendition, pixels)
  }
}

extension PixelPicture {
  /// Starts anywhere, since other programs of the terminal have numbers, too.
  private static let number = Atomic(UInt32.random(in: 1 << 16..<1 << 31))

  private static func next(_ support: PixelSupport) -> UInt32 {
    let count = number.wrappingAdd(1, ordering: .relaxed).newValue
    return support.isThroughTmux ? PicturePlaceholders.number(count) : count
  }

  fileprivate convenience init(_ image: PixelImage, _ support: PixelSupport, _ background: UInt32) {
    let content: Content
    switch support.form {
    case .kitty: content = .kitty(image.compressed)
    case .iterm: content = .iterm(image.png)
    case .sixel:
      let indexed = image.indexed(colors: support.colors, on: background)
      content = .sixel(
        SixelPixels(
          size: Size(width: indexed.size.width, height: indexed.size.height),
          palette: indexed.palette, indices: indexed.indices))
    }
    self.init(
      id: Self.next(support),
      size: Size(width: image.size.width, height: image.size.height), content: content)
  }
}

extension CellPicture {
  fileprivate init(_ rendition: Rendition, _ pixels: PixelPicture?) {
    let cells = rendition.cells.map { cell in
      Cell(
        // Only characters of one column, whatever the decoder says.
        TextWidth.columns(of: String(cell.scalar)) == 1 ? Glyph(cell.scalar) : .space,
        style: Style(Color(cell.foreground), on: Color(cell.background)))
    }
    self.init(columns: rendition.columns, rows: rendition.rows, cells: cells, pixels: pixels)
  }
}

extension Color {
  fileprivate init(_ color: Rendition.Color) {
    switch color {
    case .none: self = .standard
    case .palette(let number): self = .palette(number)
    case .rgb(let rgb): self = .rgb(rgb)
    }
  }
}

extension PictureSettings.Symbols {
  /// The best symbols that the terminal surely has: sextants where it draws them itself,
  /// independent of the font.
  ///
  /// - Parameter isPlain: whether only ASCII is allowed.
  init(_ environment: [String: String], isPlain: Bool, colors: Int) {
    if isPlain || colors < 8 {
      self = .ascii
      return
    }
    // The terminal behind tmux and screen is unknown.
    let isBehind = environment["TMUX"]?.isEmpty == false || environment["STY"]?.isEmpty == false
    let type = environment["TERM"] ?? ""
    let drawsThem =
      ["xterm-kitty", "foot", "xterm-ghostty", "wezterm", "contour"].contains {
        type.hasPrefix($0)
      } || ["WezTerm", "ghostty"].contains(environment["TERM_PROGRAM"])
      || (environment["VTE_VERSION"].flatMap(Int.init).map { $0 >= 6200 } ?? false)
    self = drawsThem && !isBehind ? .sextants : .half
  }
}
