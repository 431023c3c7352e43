internal import Text

/// Names of tags with semicolons between them, a minus before those that are to be taken off.
struct TypedTags {
  private(set) var added: [String] = []
  private(set) var removed: [String] = []

  init(_ typed: String) {
    for part in typed.split(separator: ";") {
      let name = PlainText.sanitized(String(part))
      let isRemoved = name.hasPrefix("-")
      let bare = isRemoved ? PlainText.sanitized(String(name.dropFirst())) : name
      guard !bare.isEmpty, !added.contains(bare), !removed.contains(bare) else { continue }
      if isRemoved { removed.append(bare) } else { added.append(bare) }
    }
  }

  /// As in `+swift −old`.
  var summary: String {
    (added.map { "+" + $0 } + removed.map { "−" + $0 }).joined(separator: " ")
  }
}
