package import News
internal import Text

/// Importer of sfeed's `sfeedrc`, a shell script with a call `feed NAME ADDRESS [PAGE] [ENCODING]`
/// for each feed in its function `feeds`. Nothing is run.
package struct SfeedConfig: Hashable, Sendable {
  package private(set) var library = ReaderLibrary()
  /// Names of feeds and their files by address.
  package private(set) var names: [String: String] = [:]
  /// Folder of the files, as written.
  package private(set) var folder: String?

  /// - Parameter file: file name for messages.
  package init(_ text: String, file: String) {
    var isInFeeds = false
    var function: String?
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      let place = LibraryPlace(file, line: index + 1)
      let bare = line.drop(while: \.isWhitespace)
      if bare.isEmpty || bare.first == "#" { continue }
      if let name = line.firstMatch(of: #/^\s*(\w+)\s*\(\)/#)?.1 {
        function = String(name)
        isInFeeds = name == "feeds"
        if !isInFeeds {
          leave(
            "\(name)()", place, "functions of the shell do not come; see [commands] in the manual")
        }
        continue
      }
      if line.first == "}" {
        (function, isInFeeds) = (nil, false)
        continue
      }
      if isInFeeds {
        add(ShellLine.words(bare), bare, place)
      } else if function == nil {
        set(bare, place)
      }
    }
  }

  private mutating func leave(_ subject: String, _ place: LibraryPlace, _ reason: String) {
    library.left.append(LeftOut(PlainText.sanitizedName(subject), at: place, because: reason))
  }

  private mutating func add(_ words: [String]?, _ line: Substring, _ place: LibraryPlace) {
    guard let words, words.first == "feed", words.count >= 3 else {
      let subject = WebAddress.redacted(String(line))
      return leave(
        subject, place, "only lines of feed, a name and an address are read; nothing is run")
    }
    let (name, address) = (words[1], words[2])
    guard address.contains("://") else {
      return leave(name, place, "\(PlainText.sanitizedName(address)) is no address")
    }
    names[address] = name
    let page = words.count > 3 && words[3].contains("://") ? words[3] : nil
    library.feeds.append(
      LibraryFeed(
        url: address, ownTitle: PlainText.sanitizedName(name), page: page, at: place))
  }

  private mutating func set(_ line: Substring, _ place: LibraryPlace) {
    guard let match = line.wholeMatch(of: #/(\w+)=(.*)/#) else {
      return leave(String(line), place, "it is a command of the shell")
    }
    let home = match.2.replacing("$HOME", with: "~").replacing("${HOME}", with: "~")
    let value = ShellLine.words(home[...])?.first ?? ""
    guard match.1 == "sfeedpath", !value.isEmpty else {
      return leave(String(line), place, "settings do not come")
    }
    folder = value
  }
}
