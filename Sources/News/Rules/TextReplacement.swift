internal import Foundation
internal import Text

/// Replacement of the matches of a regular expression (ICU, regardless of case) in a line of text.
/// In the template `$1` stands for the first group.
package struct TextReplacement: Hashable, Sendable {
  package let pattern: String
  package let template: String

  /// Longer texts stay as they are, and longer expressions are refused.
  private static let longest = 2_048

  /// - Throws: `QueryError` for an invalid pattern.
  package init(_ pattern: String, with template: String) throws(QueryError) {
    guard !pattern.isEmpty, pattern.count + template.count <= Self.longest,
      let expression = try? NSRegularExpression(pattern: pattern)
    else { throw QueryError("this is not a regular expression: \(pattern.prefix(80))", at: 0..<0) }
    // ICU would replace a number beyond the groups by nothing.
    for group in template.matches(of: #/\\.|\$(\d)/#) {
      guard let number = group.1.flatMap({ Int($0) }) else { continue }
      guard number <= expression.numberOfCaptureGroups else {
        throw QueryError("$\(number) has no group in the expression \(pattern)", at: 0..<0)
      }
    }
    self.pattern = pattern
    self.template = template
  }

  /// Parses `s/pattern/template/`, in which slashes are escaped; nil for anything else.
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

  /// Nil where nothing matches or the text is too long.
  package func applied(to text: String) -> String? {
    guard text.utf8.count <= Self.longest,
      let expression = try? NSRegularExpression(pattern: pattern, options: .caseInsensitive)
    else { return nil }
    let whole = NSRange(text.startIndex..., in: text)
    let changed = expression.stringByReplacingMatches(
      in: text, range: whole, withTemplate: template)
    return changed == text ? nil : changed
  }

  /// Nil for an unchanged title, and where nothing of it would be left.
  package func title(insteadOf title: String?) -> String? {
    guard let title, let changed = applied(to: title).map(PlainText.sanitized), !changed.isEmpty
    else { return nil }
    return changed == title ? nil : changed
  }

  /// Nil for an unchanged address, and where the result is no web address.
  package func address(insteadOf address: String?) -> String? {
    guard let address, let changed = applied(to: address),
      WebAddress.isWeb(changed), let whole = WebAddress.resolve(changed, against: nil),
      WebAddress.isWeb(whole), WebAddress.host(of: whole) != nil
    else { return nil }
    return whole == address ? nil : whole
  }
}
