internal import Foundation
internal import Text

/// A change of a line of text: what a regular expression of ICU matches is replaced, without regard to case, as in
/// queries. In the template `$1` stands for what the first group matched.
package struct TextReplacement: Hashable, Sendable {
  package let pattern: String
  package let template: String

  /// Longer texts stay as they are, and longer expressions are refused.
  private static let longest = 2_048

  /// - Throws: `QueryError` where the pattern is no regular expression.
  package init(_ pattern: String, with template: String) throws(QueryError) {
    guard !pattern.isEmpty, pattern.count + template.count <= Self.longest,
      let expression = try? NSRegularExpression(pattern: pattern)
    else { throw QueryError("this is no regular expression: \(pattern.prefix(80))", at: 0..<0) }
    // A number beyond the groups stands for nothing, and a template with one is a mistake.
    for group in template.matches(of: #/\\.|\$(\d)/#) {
      guard let number = group.1.flatMap({ Int($0) }) else { continue }
      guard number <= expression.numberOfCaptureGroups else {
        throw QueryError("$\(number) has no group in the expression \(pattern)", at: 0..<0)
      }
    }
    self.pattern = pattern
    self.template = template
  }

  /// Reads `s/pattern/template/`, in which a slash has a backslash before it; nil for anything else.
  package init?(text: String) {
    var parts = [""]
    var rest = text[...]
    guard rest.hasPrefix("s/") else { return nil }
    rest.removeFirst(2)
    while let character = rest.popFirst() {
      if character == "\\", let next = rest.popFirst() {
        parts[parts.count - 1] += next == "/" ? "/" : "\\\(next)"
      } else if character == "/" {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    guard parts.count == 3, parts[2].isEmpty else { return nil }
    try? self.init(parts[0], with: parts[1])
  }

  /// `s/pattern/template/`.
  package var text: String {
    func escaped(_ part: String) -> String {
      var text = ""
      var rest = part[...]
      while let character = rest.popFirst() {
        if character == "\\", let next = rest.popFirst() {
          text += "\\\(next)"
        } else {
          text += character == "/" ? "\\/" : String(character)
        }
      }
      return text
    }
    return "s/\(escaped(pattern))/\(escaped(template))/"
  }

  /// The changed text; nil where nothing matches, or the text is too long.
  package func applied(to text: String) -> String? {
    guard text.utf8.count <= Self.longest,
      let expression = try? NSRegularExpression(pattern: pattern, options: .caseInsensitive)
    else { return nil }
    let whole = NSRange(text.startIndex..., in: text)
    let changed = expression.stringByReplacingMatches(
      in: text, range: whole, withTemplate: template)
    return changed == text ? nil : changed
  }

  /// A title after the change; nil where it stays, as one does of which nothing would be left.
  package func title(insteadOf title: String?) -> String? {
    guard let title, let changed = applied(to: title).map(PlainText.sanitized), !changed.isEmpty
    else { return nil }
    return changed == title ? nil : changed
  }

  /// An address after the change; nil where it stays, as one does that would be none of the web.
  package func address(insteadOf address: String?) -> String? {
    guard let address, let changed = applied(to: address),
      WebAddress.isWeb(changed), let whole = WebAddress.resolve(changed, against: nil),
      WebAddress.isWeb(whole), WebAddress.host(of: whole) != nil
    else { return nil }
    return whole == address ? nil : whole
  }
}
