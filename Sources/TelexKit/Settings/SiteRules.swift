internal import Foundation
internal import Markup
internal import News
internal import Services
internal import TOMLKit
internal import Text

/// The user's own rules for the articles of single sites: `sites.toml` beside `config.toml`, a table for each host.
///
///     ["example.org"]
///     keep = "div.story, figure.lead"
///     drop = ".teaser, .poll"
///     next = "a.next-page"
///
/// A host stands for its subdomains too; of several the longest counts.
struct SiteRules: Sendable {
  /// What is said of one site: selectors.
  struct Site: Hashable, Sendable {
    var keep: String?
    var drop: String?
    var next: String?
  }

  private var sites: [String: Site] = [:]

  init() {}

  /// - Parameter path: of the file; none is there as a rule.
  /// - Throws: `SourceError` of stage `.config`, with line and column.
  init(path: String?) throws {
    // What is there and cannot be looked at must not be taken for none.
    guard let path, access(path, F_OK) == 0 || errno != ENOENT else {
      self.init()
      return
    }
    try self.init(text: try RecipeFile.text(of: path, isRegular: false), subject: path)
  }

  init(text: String, subject: String) throws {
    let reader = TableReader(text: text, subject: subject)
    for (name, value) in try Settings.table(of: text, subject: subject) {
      guard let table = value.table else {
        throw reader.failure(
          [name], "this must be a table for a host", "write it as [\"example.org\"] above its keys")
      }
      guard let host = HostName.normalized(name.lowercased()) else {
        throw reader.failure(
          [name], "this is not the name of a host", "write it as [\"example.org\"]")
      }
      var site = Site()
      func selector(_ take: @escaping (String) -> Void) -> TableReader.Key {
        .checked { text in
          do { take(try Selector(text).text) } catch let mistake as Selector.Mistake {
            throw SettingMistake(
              message: "character \(mistake.column) of the selector: \(mistake.message)",
              next: "correct the selector")
          }
        }
      }
      try reader.read(
        table, path: [name],
        keys: [
          "keep": selector { site.keep = $0 }, "drop": selector { site.drop = $0 },
          "next": selector { site.next = $0 },
        ])
      sites[host] = site
    }
  }

  func site(of url: String?) -> Site? {
    guard !sites.isEmpty, let name = url.flatMap(WebAddress.host),
      var host = HostName.normalized(name)?[...]
    else { return nil }
    while true {
      if let site = sites[String(host)] { return site }
      guard let dot = host.firstIndex(of: ".") else { return nil }
      host = host[host.index(after: dot)...]
    }
  }

  func rules(for url: String?) -> PageArticleRules? {
    guard let site = site(of: url) else { return nil }
    func selector(_ text: String?) -> Selector? { text.flatMap { try? Selector($0) } }
    return PageArticleRules(
      keep: selector(site.keep).map { [$0] } ?? [], drop: selector(site.drop).map { [$0] } ?? [],
      next: selector(site.next))
  }
}
