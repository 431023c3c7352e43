/// Pictures that a body has twice: for scripts, which load them when they are seen, and again in `<noscript>`, for
/// browsers without scripts.
struct PictureCopies {
  /// Text beside a picture.
  enum Neighbour {
    case own
    /// A description alone.
    case withoutAddress
    /// Of `<noscript>`.
    case copy
  }

  /// The addresses of pictures that are no copies, and of copies that nothing was found for so far.
  private var own: Set<String> = []
  private var copies: Set<String> = []

  /// Addresses beyond this number are not remembered.
  private static let most = 10_000

  /// Registers a picture.
  ///
  /// - Parameters:
  ///   - source: its address; nil for none.
  ///   - isLazy: whether a script loads it.
  ///   - before: what stands in front of it, with no text between.
  /// - Returns: whether the other of the two is shown already.
  mutating func showsAgain(
    _ source: String?, isCopy: Bool, isLazy: Bool, before: Neighbour?
  ) -> Bool {
    guard let source else { return isCopy }
    if isCopy {
      if before == .own || own.contains(source) { return true }
      guard own.count + copies.count < Self.most else { return false }
      // A picture in front without an address is the same one.
      if before == .withoutAddress { own.insert(source) } else { copies.insert(source) }
      return false
    }
    if isLazy, before == .copy || copies.remove(source) != nil { return true }
    if own.count + copies.count < Self.most { own.insert(source) }
    return false
  }
}
