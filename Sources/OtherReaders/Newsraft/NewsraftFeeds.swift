package import News
internal import Text

/// Newsraft's list of feeds (`feeds`): a line has an address, a name in quotes and settings after `<`. `@ Name` begins a
/// section, `$(…)` is a program.
package enum NewsraftFeeds {
  /// - Parameters:
  ///   - file: the file's name, for messages.
  ///   - config: the settings, which say what holds for all feeds.
  ///   - home: of the user, where programs come along; nil where they do not. Newsraft has a shell run them, Telex takes
  ///     those that are plain words.
  package static func read(
    _ text: String, file: String, config: NewsraftConfig = NewsraftConfig("", file: "config"),
    programsOf home: String? = nil
  ) -> ReaderLibrary {
    var list = List(config: config, home: home)
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      let bare = line.drop(while: \.isWhitespace)
      if bare.isEmpty || bare.first == "#" { continue }
      list.take(bare, at: LibraryPlace(file, line: index + 1))
    }
    return list.library
  }

  private struct List {
    let config: NewsraftConfig
    let home: String?
    var library = ReaderLibrary()
    private var section: String?
    /// What is set for the feeds in the section, and for all.
    private var sectionSettings = NewsraftFeedSettings()
    private var globalSettings = NewsraftFeedSettings()

    init(config: NewsraftConfig, home: String?) {
      self.config = config
      self.home = home
    }

    mutating func take(_ line: Substring, at place: LibraryPlace) {
      if line.first == "@" {
        let rest = line.dropFirst()
        let end = rest.firstIndex { "[{<".contains($0) } ?? rest.endIndex
        let name = PlainText.sanitizedName(rest[..<end].trimmed)
        let isGlobal = name == config.globalSection
        section = isGlobal || name.isEmpty ? nil : name
        sectionSettings = settings(rest[end...], of: "@ \(name)", at: place)
        if isGlobal { globalSettings = sectionSettings }
        return
      }
      var command: [String]?
      let address: String
      if line.hasPrefix("$(") {
        let program = Self.program(of: line)
        address = String(line.prefix(program.count + 3))
        do throws(QueryError) { command = try words(of: program) } catch {
          library.left.append(
            LeftOut(
              PlainText.sanitizedName(WebAddress.redacted(String(line))), at: place,
              because: error.message))
          return
        }
      } else {
        address = String(line.prefix { !$0.isWhitespace })
      }
      var rest = line.dropFirst(address.count).drop(while: \.isWhitespace)
      var name: String?
      if rest.first == "\"" {
        let quoted = rest.dropFirst()
        let end = quoted.firstIndex(of: "\"") ?? quoted.endIndex
        name = PlainText.sanitizedName(String(quoted[..<end]))
        rest = quoted[end...].dropFirst()
      }
      guard command != nil || address.contains("://") else {
        library.left.append(
          LeftOut(PlainText.sanitizedName(address), at: place, because: "it is no address"))
        return
      }
      var feed = LibraryFeed(
        url: address, ownTitle: name.flatMap { $0.isEmpty ? nil : $0 },
        folders: section.map { [[$0]] } ?? [], at: place)
      feed.command = command
      let own = settings(rest, of: WebAddress.redacted(address), at: place)
      library.take(
        feed, own.over(sectionSettings).over(globalSettings).over(config.feeds))
    }

    /// What stands in `$(…)`, up to the end of the line where it is not closed. Parentheses between quotes do not count.
    private static func program(of line: Substring) -> Substring {
      var depth = 1
      var quote: Character?
      return line.dropFirst(2).prefix { character in
        if let open = quote {
          if character == open { quote = nil }
        } else if character == "\"" || character == "'" {
          quote = character
        } else if character == "(" {
          depth += 1
        } else if character == ")" {
          depth -= 1
        }
        return depth > 0
      }
    }

    private func words(of program: Substring) throws(QueryError) -> [String] {
      guard let home else {
        throw QueryError(
          "programs do not come along by themselves; --commands takes them", at: 0..<0)
      }
      let words: [String]
      do throws(CommandWords.Mistake) {
        words = try CommandWords(String(program), home: home).words
      } catch {
        throw QueryError("\(error.message); put it into a script, for telex add", at: 0..<0)
      }
      guard !words[0].contains("/") || words[0].hasPrefix("/") else {
        throw QueryError("the path of its program begins in no folder that is known", at: 0..<0)
      }
      return words
    }

    /// Reads what stands behind a name: `< reload-period 30; item-limit 100`, or `[30] {100}` as versions up to 0.26
    /// had it.
    private mutating func settings(
      _ text: Substring, of subject: String, at place: LibraryPlace
    ) -> NewsraftFeedSettings {
      let rest = text.drop { $0 != "<" && $0 != "[" && $0 != "{" }
      var settings = NewsraftFeedSettings()
      var items: [NewsraftLine.Item] = []
      if rest.first == "<" {
        items = NewsraftLine(rest.dropFirst()).items
      } else {
        if let minutes = rest.firstMatch(of: #/\[\s*(\d{1,9})\s*\]/#)?.1 {
          items.append(.setting("reload-period", value: String(minutes)))
        }
        if let limit = rest.firstMatch(of: #/\{\s*(\d{1,9})\s*\}/#)?.1 {
          items.append(.setting("item-limit", value: String(limit)))
        }
      }
      for item in items {
        var (name, reason): (String, String?) = ("", nil)
        switch item {
        case .setting(let setting, let value):
          name = setting
          do throws(QueryError) { try settings.take(setting, value) } catch {
            reason = error.message
          }
        case .key(let key, _): (name, reason) = ("bind \(key)", "keys are those of all feeds")
        case .mistake(let subject):
          (name, reason) = (subject, "something stands behind its quotes")
        }
        guard let reason else { continue }
        library.left.append(
          LeftOut("\(subject): \(PlainText.sanitizedName(name))", at: place, because: reason))
      }
      return settings
    }
  }
}
