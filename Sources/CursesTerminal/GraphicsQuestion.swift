package import Screen

package enum PixelProtocol: String, Hashable, Sendable {
  case kitty, sixel, iterm
}

package struct PixelSupport: Hashable, Sendable {
  package var form: PixelProtocol
  /// The colours that sixel graphics may have.
  package var colors = 255
  /// The largest picture of sixel graphics in pixels; nil for no limit that is known.
  package var largest: Size?
  /// Whether tmux stands between, which passes commands on and keeps pictures as text.
  package var isThroughTmux = false
}

/// The questions to a terminal about whether it shows pixels, and the meaning of its answers.
///
/// A state machine without a clock. First the terminal is asked for its name (XTVERSION), the size of a cell and its
/// attributes (DA1); then for what these say it may know. Kitty's own question is an application program command, which
/// some terminals print: it goes only to those that have told their name, as all with such graphics do, or are kitty by
/// their type. Each round ends with DA1, which all terminals answer: once that is here nothing else will come.
struct GraphicsQuestion {
  /// The protocol to use whatever the terminal answers; nil to go by its answers.
  let wanted: PixelProtocol?
  /// Whether tmux stands between, and the terminal behind it is known to draw pictures in the place of text.
  let isThroughTmux: Bool
  /// Whether the type of the terminal says that it has kitty's graphics.
  private let isKitty: Bool
  private var version: String?
  private var hasKitty = false
  private var hasSixel = false
  private var colors: Int?
  private var largest: Size?
  /// The size of a cell in pixels, where it was told.
  private(set) var cell: Size?
  private var isSecond = false
  private(set) var isOver = false

  /// The first question. Through tmux that is kitty's question alone: the others tmux would answer itself, and the
  /// answer comes after them.
  var first: String {
    isThroughTmux ? "\u{1B}[16t" + TmuxPassage.wrapped(Self.kitty) : Self.start
  }

  private static let start = "\u{1B}[>0q\u{1B}[16t\(attributes)"
  /// A picture of one pixel that is only looked at.
  static let kitty = "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\"
  /// XTSMGRAPHICS: how many colours, and how many pixels.
  static let limits = "\u{1B}[?1;1;0S\u{1B}[?2;1;0S"
  static let attributes = "\u{1B}[c"

  init(wanted: PixelProtocol?, type: String, isThroughTmux: Bool = false) {
    self.wanted = wanted
    self.isThroughTmux = isThroughTmux
    isKitty = ["xterm-kitty", "xterm-ghostty"].contains(type)
  }

  /// Whether a terminal is asked at all. Programs that keep a screen of their own pass pictures on to nowhere, but tmux
  /// may draw sixel graphics itself where the user says so; Apple's terminal and consoles know of none.
  static func mayBeAsked(type: String, isBehind: Bool, wanted: PixelProtocol?) -> Bool {
    let family = type.prefix { $0 != "-" && $0 != "." }
    guard !["nsterm", "putty"].contains(family) else { return false }
    return wanted == .sixel || !(isBehind || ["tmux", "screen"].contains(family))
  }

  /// Handles an answer, and returns the next question; nil for none.
  mutating func receive(_ report: TerminalReport) -> String? {
    switch report {
    case .background, .cursor, .keyboard: return nil
    case .version(let version): self.version = version
    case .kittyGraphics(let isTaken):
      hasKitty = isTaken
      isOver = isThroughTmux
    case .cell(let size): cell = CellSize.isPossible(size) ? size : nil
    case .graphicsLimit(item: 1, let values): colors = values.first
    case .graphicsLimit(item: 2, let values) where values.count == 2:
      largest = Size(width: values[0], height: values[1])
    case .graphicsLimit: break
    case .attributes where isThroughTmux: break
    case .attributes(let attributes):
      hasSixel = hasSixel || attributes.contains(4)
      let next = isSecond ? "" : secondQuestion
      isSecond = true
      isOver = next.isEmpty
      return isOver ? nil : next + Self.attributes
    }
    return nil
  }

  private var secondQuestion: String {
    // tmux, unrecognised behind a remote shell, would call its pane by the question.
    let isTmux = version?.hasPrefix("tmux") == true
    let asksKitty = wanted == nil && !isTmux && (isKitty || version != nil)
    let asksLimits = wanted == .sixel || wanted == nil && hasSixel
    return (asksKitty ? Self.kitty : "") + (asksLimits ? Self.limits : "")
  }

  /// The result of the answers so far; nil where the terminal shows no pixels.
  var support: PixelSupport? {
    if isThroughTmux { return hasKitty ? PixelSupport(form: .kitty, isThroughTmux: true) : nil }
    guard let form = wanted ?? form else { return nil }
    var support = PixelSupport(form: form)
    if form == .sixel {
      // Fewer than these make no picture.
      if let colors, colors >= 2 { support.colors = min(colors, 255) }
      if let largest, largest.width > 0, largest.height > 0 { support.largest = largest }
    }
    return support
  }

  private var form: PixelProtocol? {
    if hasKitty { return .kitty }
    if hasSixel { return .sixel }
    return version?.hasPrefix("iTerm2") == true ? .iterm : nil
  }
}
