internal import Foundation
internal import News
internal import Reader

/// A user command, prepared for an article: arguments, input and variables.
struct ArticleProgram: Sendable {
  let arguments: [String]
  /// Empty for none.
  let input: [UInt8]
  var variables: [String: String]
  /// The file of the input; nil where no argument names it.
  private let file: String?

  /// - Parameters:
  ///   - article: nil for none: its placeholders and the input are empty.
  /// - Throws: `SourceError` where the article lacks what the command needs, or no file can be
  ///   written.
  init(_ program: OwnProgram, for article: Article?, clock: WallClock, at place: ReaderPlace) throws
  {
    let text = try article.map { try Self.input(of: program, $0, clock) } ?? ""
    let usesFile = program.arguments.contains { $0.contains("%p") }
    let path = usesFile ? try Self.write(text, isHTML: program.input == .html) : nil
    file = path
    input = usesFile ? [] : Array(text.utf8)
    do {
      arguments = try program.arguments.map { try Self.filled($0, with: article, file: path) }
    } catch {
      path.map { _ = unlink($0) }
      throw error
    }
    var variables = place.variables
    if let article {
      variables["TELEX_ARTICLE"] = String(article.id.rawValue)
      variables["TELEX_URL"] = article.entry.url ?? ""
      variables["TELEX_TITLE"] = article.entry.title ?? ""
      variables["TELEX_FEED"] = article.feedTitle
    }
    self.variables = variables
  }

  func clean() { if let file { unlink(file) } }

  // MARK: Parts

  private static func input(
    of program: OwnProgram, _ article: Article, _ clock: WallClock
  ) throws -> String {
    switch program.input {
    case .none: return ""
    case .address: return try address(of: article) + "\n"
    case .html:
      return article.shownHTML ?? article.entry.summary ?? ""
    case .text:
      // A text that replaces the article is shown below the head of the page.
      guard program.output == .article || program.output == .articleHTML else {
        return ArticlePage(article, width: 80, clock: clock, standsAlone: true).plainText + "\n"
      }
      let html = article.shownHTML ?? ""
      guard html.isEmpty else {
        return ArticlePage.text(ofHTML: html, url: article.entry.url, width: 80).text + "\n"
      }
      return article.entry.summary ?? ""
    }
  }

  private static func address(of article: Article) throws -> String {
    guard let url = article.entry.url, ["http", "https"].contains(url.prefix { $0 != ":" }) else {
      throw SourceError.missing("this article has no address")
    }
    return url
  }

  /// An argument with its placeholders replaced. Values stay within the argument, and do not turn
  /// it into an option.
  private static func filled(
    _ argument: String, with article: Article?, file: String?
  ) throws -> String {
    var text = ""
    var rest = Substring(argument)
    while let character = rest.popFirst() {
      guard character == "%", let sign = rest.first else {
        text.append(character)
        continue
      }
      rest.removeFirst()
      switch sign {
      case "u": text += try article.map(address) ?? ""
      case "t": text += word(article?.entry.title ?? "", isFirst: text.isEmpty)
      case "f": text += word(article?.feedTitle ?? "", isFirst: text.isEmpty)
      case "p": text += file ?? ""
      case "%": text += "%"
      default: text += "%\(sign)"
      }
    }
    return text
  }

  private static func word(_ text: String, isFirst: Bool) -> String {
    isFirst ? String(text.drop { $0 == "-" || $0 == " " }) : text
  }

  private static func write(_ text: String, isHTML: Bool) throws -> String {
    let name = "telex-\(UUID().uuidString).\(isHTML ? "html" : "txt")"
    let path = FileManager.default.temporaryDirectory.appending(path: name).path
    try SmallFile.create(text, at: path)
    return path
  }
}

extension ArticleProgram {
  /// Runs it without the terminal.
  ///
  /// - Parameter receive: called with its output.
  func run(_ receive: @escaping @Sendable (String) -> Void) async -> ProgramEnd {
    defer { clean() }
    let child = ChildProgram(arguments[0], arguments, variables: variables)
    return await child.run(input: input, receive)
  }

  /// Runs it in the terminal until it ends. It reads the terminal unless it has an input.
  ///
  /// - Parameter stop: stops this program together with it.
  func runInTerminal(stop: () -> Void) throws -> ProgramEnd {
    defer { clean() }
    guard !input.isEmpty else { return try spawn(input: nil, stop: stop) }
    // An unlinked file: a pipe would have to be written while the program reads.
    let path = try Self.write(String(decoding: input, as: UTF8.self), isHTML: false)
    let file = open(path, O_RDONLY | O_CLOEXEC)
    unlink(path)
    defer { close(file) }
    return try spawn(input: file, stop: stop)
  }

  private func spawn(input: Int32?, stop: () -> Void) throws -> ProgramEnd {
    do {
      return try Spawn.run(
        arguments, detached: false, input: input, variables: variables, stop: stop) ?? .exited(0)
    } catch let error as Spawn.Failure {
      throw SourceError(
        .file, stage: .config, subject: arguments[0],
        message: error.isMissing ? "there is no such program" : error.message,
        next: "check the commands in the settings")
    }
  }
}
