internal import Text

/// `Accept-Language` (RFC 9110 §12.5.4) from the languages of the environment.
package enum AcceptLanguage {
  /// The environment variables that it reads.
  package static let variables = ["LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE"]

  /// The value for the languages of `LANGUAGE`, else of the locale for messages; nil where there is
  /// none, as in `C`.
  package static func value(environment: [String: String]) -> String? {
    func first(_ names: String...) -> String? {
      names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    }
    let locale = first("LC_ALL", "LC_MESSAGES", "LANG") ?? ""
    guard let own = tag(locale) else { return nil }
    let wished = (environment["LANGUAGE"] ?? "").split(separator: ":").compactMap {
      tag(String($0))
    }
    var tags: [String] = []
    for tag in wished.isEmpty ? [own] : wished {
      // `de-AT` is happy with `de`.
      for wider in [tag, String(tag.prefix { $0 != "-" })] where !tags.contains(wider) {
        tags.append(wider)
      }
    }
    if !tags.contains("en") { tags.append("en") }
    return tags.prefix(6).enumerated()
      .map { index, tag in index == 0 ? tag : "\(tag);q=0.\(max(1, 9 - index))" }
      .joined(separator: ", ")
  }

  /// `de_AT.UTF-8@euro` as `de-AT`; nil for what names no language.
  private static func tag(_ locale: String) -> String? {
    let name = locale.prefix { $0 != "." && $0 != "@" }
    let parts = name.split(separator: "_", omittingEmptySubsequences: false)
    let isTag = parts.allSatisfy { part in
      (2...8).contains(part.utf8.count)
        && part.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit }
    }
    guard isTag, !parts.isEmpty, name != "POSIX" else { return nil }
    return parts.joined(separator: "-")
  }
}
