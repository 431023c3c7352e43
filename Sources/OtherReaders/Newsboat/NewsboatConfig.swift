package import News
internal import Text

/// Importer of newsboat's `config`: ignored articles, keys, and the path of the cache.
package struct NewsboatConfig {
  private enum Command: String {
    case include
    case ignoreArticle = "ignore-article"
    case ignoreMode = "ignore-mode"
    case bindKey = "bind-key"
    case unbindKey = "unbind-key"
    case cacheFile = "cache-file"
    case urlsSource = "urls-source"
  }

  private var library = ReaderLibrary()
  private let star: Character?
  private let include: (String) -> String?
  /// Keys of single dialogs, which count where all of them leave the key free.
  private var dialogKeys: [LibraryKey] = []
  private var ignoreMode = "download"
  private var hasOtherSettings = false

  /// - Parameters:
  ///   - file: file name for messages.
  ///   - star: the flag that becomes a star.
  ///   - include: reads an included file; nil if it is unreadable.
  package static func read(
    _ text: String, file: String, star: Character? = nil,
    include: @escaping (String) -> String? = { _ in nil }
  ) -> ReaderLibrary {
    var config = NewsboatConfig(star: star, include: include)
    config.read(text, file: file, depth: 0)
    config.finish(file: file)
    return config.library
  }

  private init(star: Character?, include: @escaping (String) -> String?) {
    self.star = star
    self.include = include
  }

  private mutating func read(_ text: String, file: String, depth: Int) {
    for line in NewsboatLine.all(of: text) {
      let place = LibraryPlace(file, line: line.number)
      do throws(QueryError) { try read(line, at: place, depth: depth) } catch {
        library.left.append(
          LeftOut(PlainText.sanitizedName(line.tokens[0]), at: place, because: error.message))
      }
    }
  }

  private mutating func read(
    _ line: NewsboatLine, at place: LibraryPlace, depth: Int
  ) throws(QueryError) {
    guard let command = Command(rawValue: line.tokens[0]) else {
      hasOtherSettings = true
      return
    }
    guard !line.hasProgram else {
      throw refused("it is the output of a program: write the value itself")
    }
    let arguments = Array(line.tokens.dropFirst())
    let value = arguments.first ?? ""
    switch command {
    case .include:
      guard depth < 10, let text = include(value) else { throw refused("the file cannot be read") }
      read(text, file: value, depth: depth + 1)
    case .ignoreArticle: try ignore(arguments, place)
    case .ignoreMode: ignoreMode = value
    case .bindKey: try bind(arguments)
    case .unbindKey: try unbind(arguments)
    case .cacheFile: library.cachePath = value
    case .urlsSource where value == "local": break
    case .urlsSource:
      throw refused(
        "its feeds come from a server: telex login with the server's address brings them")
    }
  }

  private func refused(_ message: String) -> QueryError { QueryError(message, at: 0..<0) }

  private mutating func finish(file: String) {
    for key in dialogKeys where !library.keys.contains(where: { $0.key == key.key }) {
      library.keys.append(key)
    }
    if ignoreMode == "display" {
      // Newsboat only hides these articles, so they must not be dropped.
      library.rules = library.rules.map { LibraryRule($0.query, .read, at: $0.place) }
    }
    if hasOtherSettings {
      library.left.append(
        LeftOut(
          "other settings", at: LibraryPlace(file),
          because: "only keys and ignore-article come; see Settings in the manual"))
    }
  }

  private mutating func bind(_ arguments: [String]) throws(QueryError) {
    guard arguments.count >= 2, let key = NewsboatKeys.name(of: arguments[0]) else {
      throw refused("\(arguments.first ?? "nothing") is no key")
    }
    guard let command = NewsboatKeys.commands[arguments[1]] else {
      throw refused("there is no command that does \(arguments[1])")
    }
    for dialog in (arguments.dropFirst(2).first ?? "all").split(separator: ",") {
      try add(LibraryKey(command, key: key, isOfOneDialog: dialog != "all"), in: String(dialog))
    }
  }

  private mutating func unbind(_ arguments: [String]) throws(QueryError) {
    guard let first = arguments.first, let key = NewsboatKeys.name(of: first) else {
      throw refused("give the commands of [keys] an empty list for that")
    }
    let dialog = arguments.dropFirst().first ?? "all"
    try add(LibraryKey(nil, key: key, isOfOneDialog: dialog != "all"), in: dialog)
  }

  private mutating func add(_ key: LibraryKey, in dialog: String) throws(QueryError) {
    guard dialog == "all" || NewsboatKeys.dialogs.contains(dialog) else {
      throw refused("there is no screen like \(dialog)")
    }
    if key.isOfOneDialog { dialogKeys.append(key) } else { library.keys.append(key) }
  }

  private mutating func ignore(_ arguments: [String], _ place: LibraryPlace) throws(QueryError) {
    guard arguments.count == 2 else { throw refused("it needs a feed and a filter") }
    var query = try NewsboatFilter(arguments[1]).query(star: star)
    if arguments[0] != "*" {
      let feed = "feed:/\(try expression(ofFeed: arguments[0]))/"
      do { query = try ArticleQuery("\(feed) (\(query.text))") } catch {
        throw refused("\(arguments[0]) cannot be asked for")
      }
    }
    library.rules.append(LibraryRule(query, .hide, at: place))
  }

  /// For a stored address, which has no password.
  private func expression(ofFeed feed: String) throws(QueryError) -> String {
    if feed.hasPrefix("regex:") {
      guard let expression = PosixExpression.translated(String(feed.dropFirst(6))),
        !expression.isEmpty
      else { throw refused("the regular expression of the feed has no counterpart") }
      return expression
    }
    do throws(SourceError) {
      let address = WebAddress.withoutUser(try WebAddress.entered(feed))
      return "^\(PosixExpression.escaped(address))$"
    } catch { throw refused("the address of its feed cannot be read") }
  }
}
