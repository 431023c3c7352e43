/// Addresses to which a page redirects its readers.
package enum PageRefresh {
  /// Seconds. What is shown for longer is renewed, or meant to be read.
  private static let longestDelay = 30.0

  /// The address in the `content` of `<meta http-equiv=refresh>`, as in `0; url='/home/'` (HTML, "shared declarative
  /// refresh steps"); nil for a page that reloads itself.
  package static func target(of content: String) -> String? {
    var rest = content.drop { $0.isWhitespace }
    let seconds = rest.prefix { $0.isASCII && $0.isNumber || $0 == "." }
    guard let delay = Double(seconds), delay <= longestDelay else { return nil }
    rest = rest.dropFirst(seconds.count).drop { $0.isWhitespace || $0 == ";" || $0 == "," }
    if rest.prefix(3).lowercased() == "url" {
      let value = rest.dropFirst(3).drop(while: \.isWhitespace)
      if value.first == "=" { rest = value.dropFirst().drop(while: \.isWhitespace) }
    }
    if let quote = rest.first, quote == "\"" || quote == "'" {
      rest = rest.dropFirst().prefix { $0 != quote }
    }
    return rest.isEmpty ? nil : String(rest)
  }

  /// The address that a script goes to: `location.href = "/home/"`, `window.location.replace('/home/')`.
  ///
  /// - Returns: nil where it goes nowhere, or where it puts the address together.
  package static func target(ofScript script: String) -> String? {
    var rest = script[...]
    while let place = rest.firstRange(of: "location") {
      rest = rest[place.upperBound...]
      var call = rest
      for name in [".href", ".replace", ".assign"] where call.hasPrefix(name) {
        call = call.dropFirst(name.count)
        break
      }
      call = call.drop(while: \.isWhitespace)
      guard let sign = call.first, sign == "=" || sign == "(" else { continue }
      call = call.dropFirst().drop(while: \.isWhitespace)
      guard let quote = call.first, "\"'`".contains(quote),
        let (text, end) = literal(call.dropFirst(), upTo: quote), isAddress(text),
        end.drop(while: \.isWhitespace).first != "+"
      else { continue }
      return text
    }
    return nil
  }

  private static func isAddress(_ text: String) -> Bool {
    text.contains("/") && !text.contains(where: \.isWhitespace) && !text.contains("${")
  }

  /// A text in quotes, and what follows it (ECMAScript §12.9.4).
  private static func literal(
    _ script: Substring, upTo quote: Character
  ) -> (text: String, rest: Substring)? {
    var text = ""
    var rest = script
    while let next = rest.popFirst(), next != "\n" {
      if next == quote { return (text, rest) }
      guard next == "\\" else {
        text.append(next)
        continue
      }
      guard let escaped = rest.popFirst() else { return nil }
      let digits = escaped == "x" ? 2 : escaped == "u" ? 4 : 0
      if digits > 0, let number = UInt32(rest.prefix(digits), radix: 16),
        let scalar = Unicode.Scalar(number)
      {
        text.unicodeScalars.append(scalar)
        rest = rest.dropFirst(digits)
      } else {
        text.append(escaped)
      }
    }
    return nil
  }
}
