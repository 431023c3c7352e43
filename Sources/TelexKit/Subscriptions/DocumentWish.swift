internal import Foundation
internal import News
internal import Services
internal import Text

/// How the document of a feed is obtained, as a user asks for it: the output of a program, a filter.
package struct DocumentWish: Sendable {
  /// Nil leaves what the subscription has.
  private let command: [String]?
  /// Nil leaves what the subscription has; nil within takes it back.
  private let filter: [String]??
  private let seconds: Int??

  /// - Parameters:
  ///   - command: a program and its arguments in one line, as a shell splits words.
  ///   - filter: the same; `default` takes it back.
  ///   - timeLimit: of each program, such as `90s` or `5min`; `default` takes it back.
  /// - Throws: `SourceError` of stage `.arguments`.
  package init(
    command: String? = nil, filter: String? = nil, timeLimit: String? = nil
  ) throws {
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
    return recipe
  }

  /// The feed with its newest page.
  ///
  /// - Parameters:
  ///   - address: of the document as a user types it. Not used where the document is a program's output.
  ///   - feeds: the subscriptions: one that has the address gives its secret and its proxy.
  func located(
    at address: String, among feeds: [Feed], by sources: Sources
  ) async throws -> LocatedFeed {
    let recipe = applied(to: DocumentRecipe())
    let url = try Sources.address(address, of: recipe)
    let known = feeds.first { $0.url == url && $0.account.id == .local }
    return try await sources.feed(at: address, by: recipe, known: known)
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
