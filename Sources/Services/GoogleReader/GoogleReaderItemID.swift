internal import News
internal import Text

/// Id of an item at a server of the Google Reader API: a decimal of 64 bits in lists of ids, and 16
/// hex digits after `tag:google.com,2005:reader/item/` in items.
///
/// Both spellings of a number are equal. Other ids (24 hex digits at The Old Reader) stay as they
/// are. Some servers omit the prefix or leading zeros: a bare text is hex with a letter, or with 16
/// digits that begin with zero; else it is decimal.
package struct GoogleReaderItemID: Hashable, Sendable {
  private enum Form: Hashable {
    case number(Int64)
    case opaque(String)
  }

  private static let tagPrefix = "tag:google.com,2005:reader/item/"
  private static let longest = 200

  private let form: Form

  /// An id in either spelling; nil for an invalid one.
  package init?(_ text: String) {
    let isTag = text.hasPrefix(Self.tagPrefix)
    let digits = isTag ? String(text.dropFirst(Self.tagPrefix.count)) : text
    let isHex = isTag && !digits.hasPrefix("-") || Self.isBareHexadecimal(digits)
    if let number = isHex ? Self.hexadecimal(digits) : Self.decimal(digits) {
      form = .number(number)
      return
    }
    guard !digits.isEmpty, digits.utf8.count <= Self.longest,
      digits.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { return nil }
    form = .opaque(digits)
  }

  package init(_ number: Int64) { form = .number(number) }

  /// The short spelling, which is stored: a decimal, or the text as it came.
  package var text: String {
    switch form {
    case .number(let number): String(number)
    case .opaque(let text): text
    }
  }

  /// The long spelling, which is sent: no server misreads it.
  package var tag: String {
    switch form {
    case .number(let number):
      Self.tagPrefix + String(zeroPadded: UInt64(bitPattern: number), to: 16, radix: 16)
    case .opaque(let text): Self.tagPrefix + text
    }
  }

  /// Unsigned numbers of a server are the same bits.
  private static func decimal(_ text: String) -> Int64? {
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    guard !digits.isEmpty, digits.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
    return Int64(text) ?? UInt64(text).map { Int64(bitPattern: $0) }
  }

  private static func isBareHexadecimal(_ text: String) -> Bool {
    let digits = text.utf8
    guard (1...16).contains(digits.count), digits.allSatisfy({ $0.hexValue != nil }) else {
      return false
    }
    return digits.contains { !$0.isASCIIDigit } || digits.count == 16 && digits.first == 0x30
  }

  private static func hexadecimal(_ text: String) -> Int64? {
    guard (1...16).contains(text.utf8.count), text.utf8.allSatisfy({ $0.hexValue != nil }) else {
      return nil
    }
    return UInt64(text, radix: 16).map { Int64(bitPattern: $0) }
  }
}

extension GoogleReaderItemID: CustomStringConvertible {
  package var description: String { text }
}

/// Set of items with a name on the wire, which is a mark where items can be added to it.
package enum GoogleReaderStream: Hashable, Sendable {
  case readingList
  case read
  case starred
  /// A folder, or a label of items.
  case label(String)

  /// Servers read the hyphen as the user who is signed in.
  package var id: String {
    switch self {
    case .readingList: "user/-/state/com.google/reading-list"
    case .read: "user/-/state/com.google/read"
    case .starred: "user/-/state/com.google/starred"
    case .label(let name): "user/-/label/" + name
    }
  }

  /// The stream of a category or a tag; nil for anything else. The user is a number or a name at
  /// some servers. A label with control characters is none: it could not be shown, and changed it
  /// would name another.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == "user", !parts[3].isEmpty else { return nil }
    switch (parts[2], parts[3]) {
    case ("label", let name) where PlainText.sanitizedName(String(name)) == name:
      self = .label(String(name))
    case ("state", "com.google/reading-list"): self = .readingList
    case ("state", "com.google/read"): self = .read
    case ("state", "com.google/starred"): self = .starred
    default: return nil
    }
  }
}
