package import News
package import Syndication

internal import struct Foundation.Data
internal import class Foundation.JSONDecoder
internal import class Foundation.JSONEncoder

/// How the document of a feed is obtained where that is no feed at the feed's own address. Holds no secret.
///
/// The document comes from a program or from the feed's address, goes through a filter, and is then read.
package struct DocumentRecipe: Hashable, Sendable {
  /// How long a program may take where the recipe does not say, in seconds.
  package static let usualSeconds = 60
  /// A version that writes more than this one understands counts further.
  private static let form = 1

  /// The program that prints the document, and its arguments; nil for the document at the feed's address.
  package var command: [String]?
  /// A program that reads the document and prints another; nil for none.
  package var filter: [String]?
  /// How long each program may take, in seconds; nil for `usualSeconds`.
  package var seconds: Int?
  /// How the document is read; nil for one of the formats of feeds.
  package var reading: Reading?

  /// How a document is read that is no feed.
  package enum Reading: Hashable, Sendable, Codable {
    case page(PageMapping)
    case json(JSONMapping)
    case watch(PageWatch)
  }

  package init(
    command: [String]? = nil, filter: [String]? = nil, seconds: Int? = nil, reading: Reading? = nil
  ) {
    self.command = command
    self.filter = filter
    self.seconds = seconds
    self.reading = reading
  }

  /// Whether it says nothing: the document at the feed's address is the feed.
  package var isEmpty: Bool { command == nil && filter == nil && reading == nil }

  /// As it is kept with the feed: the same text for the same recipe.
  package var stored: FeedRecipe { FeedRecipe(encoding: self) }

  /// Nil for a recipe of another kind, or one that a newer version has written.
  package init?(_ stored: FeedRecipe) {
    guard let recipe: DocumentRecipe = stored.decoded() else { return nil }
    self = recipe
  }
}

extension DocumentRecipe: Codable {
  private enum CodingKeys: CodingKey { case document, command, filter, seconds, reading }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    guard try values.decode(Int.self, forKey: .document) <= Self.form else {
      throw DecodingError.dataCorruptedError(
        forKey: .document, in: values, debugDescription: "written by a newer version")
    }
    command = try values.decodeIfPresent([String].self, forKey: .command)
    filter = try values.decodeIfPresent([String].self, forKey: .filter)
    seconds = try values.decodeIfPresent(Int.self, forKey: .seconds)
    reading = try values.decodeIfPresent(Reading.self, forKey: .reading)
    guard command?.isEmpty != true, filter?.isEmpty != true else {
      throw DecodingError.dataCorruptedError(
        forKey: .command, in: values, debugDescription: "it names no program")
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(Self.form, forKey: .document)
    try values.encodeIfPresent(command, forKey: .command)
    try values.encodeIfPresent(filter, forKey: .filter)
    try values.encodeIfPresent(seconds, forKey: .seconds)
    try values.encodeIfPresent(reading, forKey: .reading)
  }
}

extension FeedRecipe {
  init(encoding recipe: some Encodable) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    self.init((try? encoder.encode(recipe)).map { String(decoding: $0, as: UTF8.self) } ?? "")
  }

  func decoded<Recipe: Decodable>() -> Recipe? {
    try? JSONDecoder().decode(Recipe.self, from: Data(rawValue.utf8))
  }
}
