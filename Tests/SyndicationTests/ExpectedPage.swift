import Foundation
import TestSupport

/// What a page in `Fixtures/pages` comes to.
struct ExpectedPage: Decodable {
  /// Where the page came from; nil for `usualURL`. Of one with its own address only what is given is compared.
  var url: String?
  var kind: String
  var title: String?
  var byline: String?
  /// A date with or without its time (ISO 8601).
  var published: String?
  var language: String?
  var siteName: String?
  var picture: String?
  var nextPage: String?
  /// Parts of the HTML of the article.
  var keeps: [String]
  /// What is no part of it.
  var leaves: [String]

  static let usualURL = "https://example.org/reise/nachtzug"

  /// - Parameter name: of the page's file, without its ending.
  init(_ name: String) throws {
    let file = fixtures.appending(path: "pages/\(name).expected.json")
    self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: file))
  }
}
