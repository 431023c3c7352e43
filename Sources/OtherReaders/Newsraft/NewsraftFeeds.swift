package import News
internal import Text

/// Newsraft's list of feeds (`feeds`): a line has an address, a name in quotes and settings after `<`. `@ Name` begins a
/// section, `$(…)` is a program.
package enum NewsraftFeeds {
  /// - Parameters:
  ///   - file: the file's name, for messages.
  ///   - globalSection: the section that has all feeds, which is no folder.
  package static func read(
    _ text: String, file: String, globalSection: String = "Global"
  ) -> ReaderLibrary {
    var list = List(file: file, globalSection: globalSection)
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      let bare = line.drop(while: \.isWhitespace)
      if bare.isEmpty || bare.first == "#" { continue }
      list.take(bare, at: LibraryPlace(file, line: index + 1))
    }
    return list.library
  }

  /// The name of the section of all feeds that the settings give; nil for that of newsraft.
  package static func globalSection(ofSettings text: String) -> String? {
    var name: String?
    for line in text.split(whereSeparator: \.isNewline) {
      guard let match = line.wholeMatch(of: #/\s*set\s+global-section-name\s+(.+?)\s*/#) else {
        continue
      }
      name = match.1.trimming { $0 == "\"" || $0 == "'" }
    }
    return name
  }

  private struct List {
    let file: String
    let globalSection: String
    var library = ReaderLibrary()
    private var section: String?
    /// Seconds between two refreshes of the feeds in the section, and of all.
    private var interval: Int64?
    private var globalInterval: Int64?

    init(file: String, globalSection: String) {
      self.file = file
      self.globalSection = globalSection
    }

    mutating func take(_ line: Substring, at place: LibraryPlace) {
      if line.first == "@" {
        let rest = line.dropFirst()
        let end = rest.firstIndex { "[{<".contains($0) } ?? rest.endIndex
        let name = PlainText.sanitizedName(rest[..<end].trimming(\.isWhitespace))
        section = name == globalSection || name.isEmpty ? nil : name
        interval = settings(rest[end...], of: "@ \(name)", at: place)
        if name == globalSection { globalInterval = interval }
        return
      }
      if line.hasPrefix("$(") {
        let subject = PlainText.sanitizedName(String(line))
        library.left.append(
          LeftOut(subject, at: place, because: "a program's output is no feed of Telex"))
        return
      }
      let address = String(line.prefix { !$0.isWhitespace })
      var rest = line.dropFirst(address.count).drop(while: \.isWhitespace)
      var name: String?
      if rest.first == "\"" {
        let quoted = rest.dropFirst()
        let end = quoted.firstIndex(of: "\"") ?? quoted.endIndex
        name = PlainText.sanitizedName(String(quoted[..<end]))
        rest = quoted[end...].dropFirst()
      }
      guard address.contains("://") else {
        library.left.append(
          LeftOut(PlainText.sanitizedName(address), at: place, because: "it is no address"))
        return
      }
      var feed = LibraryFeed(
        url: address, ownTitle: name.flatMap { $0.isEmpty ? nil : $0 },
        folders: section.map { [[$0]] } ?? [], at: place)
      let own = settings(rest, of: WebAddress.redacted(address), at: place)
      feed.interval = (own ?? interval ?? globalInterval).flatMap { $0 > 0 ? $0 : nil }
      library.feeds.append(feed)
    }

    /// Reads what stands behind a name: `< reload-period 30; item-limit 100`, or `[30] {100}` as versions up to 0.26
    /// had it.
    ///
    /// - Returns: the seconds between two refreshes, where they are set; 0 for none by itself.
    private mutating func settings(
      _ text: Substring, of subject: String, at place: LibraryPlace
    ) -> Int64? {
      let rest = text.drop { $0 != "<" && $0 != "[" && $0 != "{" }
      var minutes: Int64?
      var others: [String] = []
      if rest.first == "<" {
        for part in rest.dropFirst().split(separator: ";") {
          let words = part.split(whereSeparator: \.isWhitespace)
          guard let name = words.first else { continue }
          if name == "reload-period", words.count == 2, let number = Int64(words[1]) {
            minutes = number
          } else {
            others.append(String(name))
          }
        }
      } else {
        minutes = rest.firstMatch(of: #/\[\s*(\d{1,9})\s*\]/#).flatMap { Int64($0.1) }
        if rest.contains("{") { others.append("the limit of articles") }
      }
      if !others.isEmpty {
        let names = others.map(PlainText.sanitizedName).joined(separator: ", ")
        library.left.append(
          LeftOut("\(subject): \(names)", at: place, because: "it has no counterpart"))
      }
      return minutes.flatMap { (0...1_000_000).contains($0) ? $0 * 60 : nil }
    }
  }
}

extension Substring {
  fileprivate func trimming(_ isTrimmed: (Character) -> Bool) -> String {
    var text = self
    while let last = text.last, isTrimmed(last) { text.removeLast() }
    return String(text.drop(while: isTrimmed))
  }
}
