package import News
package import Syndication

internal import struct Foundation.Data
internal import class Foundation.JSONDecoder
internal import class Foundation.JSONEncoder

/// How the document of a feed is obtained, other than as a feed at its own address: from a program
/// or that address, through a filter, and a reader. Without secrets.
package struct DocumentRecipe: Hashable, Sendable {
  /// The time limit of a program by default, in seconds.
  package static let usualSeconds = 60
  /// Newer forms cannot be read.
  private static let form = 1

  /// The program that prints the document, and its arguments; nil for the document at the feed's
  /// address.
  package var command: [String]?
  /// A program that converts the document.
  package var filter: [String]?
  /// The time limit of each program, in seconds; nil for `usualSeconds`.
  package var seconds: Int?
  /// Nil for a format of feeds.
  package var reading: Reading?

  /// Reader of a document that is no feed.
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

  /// Whether the document at the feed's address is the feed.
  package var isEmpty: Bool { command == nil && filter == nil && reading == nil }

  /// As stored with the feed: equal for equal recipes.
  package var stored: FeedRecipe { FeedRecipe(encoding: self) }

  /// Nil for another kind of recipe, or one of a newer version.
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
