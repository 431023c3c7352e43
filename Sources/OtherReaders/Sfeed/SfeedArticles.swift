package import News
internal import Text

/// Articles of a feed in the format of sfeed(5): a line each, with tabs between fields.
package enum SfeedArticles {
  package static func file(ofFeed name: String) -> String { name.replacing("/", with: "_") }

  /// - Parameters:
  ///   - feed: the feed's address.
  ///   - read: addresses of read articles (`SFEED_URL_FILE`); nil if there is no such file.
  /// - Returns: nil for a malformed line.
  package static func article(
    _ line: Substring, of feed: String, read: Set<String>?
  ) -> ImportedArticle? {
    let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    // Empty fields after the third may be missing.
    guard fields.count >= 3 else { return nil }
    func field(_ index: Int) -> String? {
      fields.indices.contains(index) && !fields[index].isEmpty ? fields[index] : nil
    }
    let url = field(2).flatMap { WebAddress.resolve($0, against: feed) }
    var entry = Entry(
      id: "", url: url, title: field(1).map(PlainText.sanitized),
      authors: field(6).map { [Author(PlainText.sanitized($0))] } ?? [],
      published: field(0).flatMap(Int64.init).flatMap(ForeignText.date))
    if let content = field(3).map(unescaped) {
      let html = field(4) == "html" ? content : ForeignText.paragraphs(of: content)
      entry.contentHTML = ForeignText.body(html, base: url ?? feed)
    }
    if let file = field(7).flatMap({ WebAddress.resolve($0, against: feed) }) {
      entry.enclosures = [Enclosure(url: file)]
    }
    entry.categories =
      field(8)?.split(separator: "|").map { Category(PlainText.sanitizedName(String($0))) } ?? []
    entry.id =
      field(5).map(PlainText.sanitized) ?? entry.url ?? EntryIdentity.derived(from: entry)
    let isRead = read.map { read in
      [field(2), field(5)].contains { $0.map(read.contains) == true }
    }
    return ImportedArticle(entry, isRead: isRead ?? false)
  }

  /// `\n`, `\t` and `\\` are escape sequences.
  private static func unescaped(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    while let character = rest.popFirst() {
      guard character == "\\", let next = rest.popFirst() else {
        result.append(character)
        continue
      }
      switch next {
      case "n": result.append("\n")
      case "t": result.append("\t")
      case "\\": result.append("\\")
      default: result += "\\\(next)"
      }
    }
    return result
  }
}
