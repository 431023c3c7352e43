internal import Foundation
internal import News
internal import Text

/// People in RSS: RFC 822 mailboxes, with the name before or after the address, and any other text.
enum PersonText {
  /// Maximum number of scalars, and of people.
  private static let longest = 4_000
  private static let most = 32
  /// Maximum number of separators that are tried in vain, as each attempt parses the text again.
  private static let attempts = 4

  /// All people of a text. Separators count only after mail addresses: names contain commas.
  static func authors(_ text: String) -> [Author] {
    guard text.contains(byte: 0x40) else { return author(text).map { [$0] } ?? [] }
    guard text.utf8.count(where: { $0 == 0x40 }) > 1,
      text.contains(where: { $0 == "," || $0 == ";" })
    else { return author(text).map { [$0] } ?? [] }
    var authors: [Author] = []
    var part = ""
    var closing: Character?
    var hasNewAddress = false
    var attemptsLeft = attempts
    for character in String(text.unicodeScalars.prefix(longest)) {
      if character == "@" {
        hasNewAddress = true
      } else if character == closing {
        closing = nil
      } else if closing == nil {
        switch character {
        case "(": closing = ")"
        case "<": closing = ">"
        case "\"": closing = "\""
        case ",", ";":
          guard hasNewAddress, attemptsLeft > 0 else { break }
          hasNewAddress = false
          guard let author = author(trimmed(part)), author.email != nil else {
            attemptsLeft -= 1
            break
          }
          authors.append(author)
          if authors.count == most { return authors }
          part = ""
          continue
        default: break
        }
      }
      part.append(character)
    }
    if let author = author(trimmed(part)) { authors.append(author) }
    return authors
  }

  private static func trimmed(_ text: String) -> String {
    text.trimmingCharacters(in: [" ", ",", ";"])
  }

  static func author(_ text: String) -> Author? {
    var text = text
    if startsWithMailto(text) { text = PlainText.sanitized(String(text.dropFirst(7))) }
    if WebAddress.isWeb(text) { return Author(WebAddress.redacted(text), url: text) }
    if text.hasPrefix("("), text.firstIndex(of: ")") == text.indices.last {
      text = cleaned(text.dropFirst().dropLast())
    }
    guard text.contains(byte: 0x40) else { return text.isEmpty ? nil : Author(text) }
    if let open = text.firstIndex(of: "<"), let close = text[open...].firstIndex(of: ">") {
      let email = address(text[text.index(after: open)..<close])
      let name = cleaned(text[..<open])
      if !name.isEmpty { return Author(name, email: email) }
      if let email { return Author(email, email: email) }
    }
    if let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")"), open < close {
      let inside = cleaned(text[text.index(after: open)..<close])
      let before = cleaned(text[..<open])
      if let email = address(before[...]) {
        return Author(inside.isEmpty ? email : inside, email: email)
      }
      if let email = address(inside[...]), !before.isEmpty { return Author(before, email: email) }
    }
    if let email = address(text[...]) { return Author(email, email: email) }
    // `bob@example.org Bob`, or the reverse.
    let words = text.split(separator: " ")
    if let place = words.firstIndex(where: { address($0) != nil }) {
      let name = cleaned(
        words.enumerated().filter { $0.offset != place }.map(\.element).joined(separator: " ")[...])
      if !name.isEmpty { return Author(name, email: address(words[place])) }
    }
    return Author(text)
  }

  private static func startsWithMailto(_ text: String) -> Bool {
    text.withBytes { $0.hasWord("mailto:", at: 0) }
  }

  private static func address(_ text: Substring) -> String? {
    guard text.utf8.contains(0x40) else { return nil }
    var text = text.trimmingCharacters(in: [" ", "<", ">", ",", ";"])
    if startsWithMailto(text) { text = String(text.dropFirst(7)) }
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty, !text.contains(" ") else {
      return nil
    }
    return text
  }

  private static func cleaned(_ text: Substring) -> String {
    PlainText.sanitized(text.trimmingCharacters(in: ["\"", " ", "'", ",", ";", "-"]))
  }
}
