internal import Foundation
internal import News
internal import Services
internal import Syndication
internal import Text

/// How the document of a feed is obtained and read: the output of a program, a filter, selectors.
package struct DocumentChange: Sendable {
  /// Nil leaves what the subscription has.
  private let command: [String]?
  /// Nil leaves what the subscription has; nil within takes it back.
  private let filter: [String]??
  private let seconds: Int??
  /// Nil leaves what the subscription has; nil within takes it back.
  private let reading: DocumentRecipe.Reading??

  /// How a page or another document is read, in the words of a user.
  package struct Reading: Sendable {
    /// The selector of articles, or of what is watched; `default` takes all of this back.
    package var select: String?
    /// Selectors of the parts of an article: `title`, `link`, `date`, `text`.
    package var parts: [String: String] = [:]
    /// The path of the articles in a JSON document; `.` for the document itself.
    package var items: String?
    /// Paths in an article, as in `title=name`.
    package var fields: [String] = []
    package var isWatched = false

    package init() {}

    var isGiven: Bool { select != nil || items != nil || isWatched || !parts.isEmpty }
  }

  /// - Parameters:
  ///   - command: a program and its arguments, quoted as in a shell.
  ///   - filter: as `command`; `default` removes it.
  ///   - timeLimit: of each program, such as `90s` or `5min`; `default` removes it.
  /// - Throws: `SourceError` of stage `.arguments`.
  package init(
    command: String? = nil, filter: String? = nil, timeLimit: String? = nil,
    reading: Reading = Reading()
  ) throws {
    self.reading = try reading.isGiven ? .some(Self.reading(reading)) : nil
    self.command = try command.map { try Self.words($0, of: "--command") }
    self.filter = try filter.map {
      $0 == FeedSetting.none ? nil : try Self.words($0, of: "--filter")
    }
    seconds = try timeLimit.map { $0 == FeedSetting.none ? nil : try Self.seconds($0) }
  }

  /// Whether it names the program whose output is the document.
  package var isCommand: Bool { command != nil }

  /// A recipe with what was asked for.
  func applied(to recipe: DocumentRecipe) -> DocumentRecipe {
    var recipe = recipe
    if let command { recipe.command = command }
    if let filter { recipe.filter = filter }
    if let seconds { recipe.seconds = seconds }
    if let reading { recipe.reading = reading }
    return recipe
  }

  /// The feed with its newest page.
  ///
  /// - Parameters:
  ///   - address: of the document; unused for a program's output.
  ///   - feeds: a subscription at the address gives its secret and its proxy.
  ///   - secret: a token or key with its header, instead of the subscription's.
  func located(
    at address: String, among feeds: [Feed], by sources: Sources,
    secret: (text: String, header: String)? = nil
  ) async throws -> LocatedFeed {
    let recipe = applied(to: DocumentRecipe())
    let url = try Sources.address(address, of: recipe)
    let known = feeds.first { $0.url == url && $0.account.id == .local }
    return try await sources.feed(at: address, by: recipe, known: known, secret: secret)
  }

  // MARK: Reading

  private static func reading(_ words: Reading) throws -> DocumentRecipe.Reading? {
    if words.select == FeedSetting.none, !words.isWatched { return nil }
    if words.isWatched {
      return .watch(try words.select.map { try watch(selecting: $0) } ?? PageWatch())
    }
    if let items = words.items {
      var fields: [GraphQLMapping.Field: GraphQLPath] = [:]
      for field in words.fields {
        let halves = field.split(separator: "=", maxSplits: 1).map(String.init)
        guard halves.count == 2, let name = GraphQLMapping.Field(rawValue: halves[0]) else {
          let names = GraphQLMapping.Field.allCases.map(\.rawValue).joined(separator: ", ")
          throw SourceError.argument(
            "--field \(field)", "it is no part of an article and a path",
            next: "the parts are \(names): write it as in title=name")
        }
        fields[name] = try path(halves[1], of: "--field \(halves[0])")
      }
      return .json(
        JSONMapping(items: items == "." ? nil : try path(items, of: "--items"), fields: fields))
    }
    var fields: [PageMapping.Field: String] = [:]
    for field in PageMapping.Field.allCases { fields[field] = words.parts[field.rawValue] }
    do throws(PageMapping.Mistake) {
      return .page(try PageMapping(entries: words.select ?? "", fields: fields))
    } catch {
      throw mistake(
        error.field.map { "--\($0.rawValue)-select \(fields[$0] ?? "")" }
          ?? "--select \(words.select ?? "")", error)
    }
  }

  private static func watch(selecting text: String) throws -> PageWatch {
    do throws(PageMapping.Mistake) { return try PageWatch(selecting: text) } catch {
      throw mistake("--select \(text)", error)
    }
  }

  private static func mistake(_ subject: String, _ error: PageMapping.Mistake) -> SourceError {
    SourceError.argument(
      subject, "column \(error.column): \(error.message)",
      next: "write it as in 'article.post > h2 a[href]'")
  }

  private static func path(_ text: String, of option: String) throws -> GraphQLPath {
    do throws(GraphQLPath.Mistake) { return try GraphQLPath(text) } catch {
      throw SourceError.argument(
        option, error.message, next: "write it as in data.posts[0].name")
    }
  }

  // MARK: Words

  private static func words(_ line: String, of option: String) throws -> [String] {
    do throws(CommandWords.Mistake) {
      var words = try CommandWords(line, home: Folders.home).words
      // It is run in another folder than this one.
      if words[0].contains("/"), !words[0].hasPrefix("/") {
        words[0] = URL(filePath: words[0]).standardizedFileURL.path
      }
      return words
    } catch {
      throw SourceError(
        .program, stage: .arguments, subject: option,
        message: "column \(error.column): \(error.message)",
        next: "put it into a script, or between single quotes where it is meant as it is")
    }
  }

  private static func seconds(_ text: String) throws -> Int {
    let plain = text.hasSuffix("s") ? Int(text.dropLast()) : nil
    guard let seconds = plain ?? ArticleQuery.seconds(of: text).map(Int.init),
      (1...3_600).contains(seconds)
    else {
      throw SourceError(
        .program, stage: .arguments, subject: "--time-limit \(text)",
        message: "this takes a time from 1s to 1h", next: "write it as in 90s or 5min")
    }
    return seconds
  }
}
