internal import Foundation

/// What a server wrote about its refusal: `{code|error, message, details|fields}`.
package struct ServerError: Sendable, Hashable {
  /// Longer texts are pages, not messages.
  private static let longestMessage = 500

  /// The server's name for the error, as in `feed_locked`; empty where it gave none.
  package var code: String
  /// For the screen. Comes from outside: pass it through the sanitiser.
  package var message: String
  /// What is wrong with which field of the request.
  package var fields: [String: String]

  package init(code: String, message: String, fields: [String: String] = [:]) {
    self.code = code
    self.message = message
    self.fields = fields
  }

  /// nil where the body is not such an object, or says nothing.
  package init?(body: [UInt8]) {
    guard body.count <= 64 << 10,
      let form = try? JSONDecoder().decode(Form.self, from: Data(body))
    else { return nil }
    let inner = form.error?.object
    code = form.code?.text ?? form.error?.text ?? inner?.code?.text ?? ""
    message = form.message ?? inner?.message ?? ""
    fields = form.fields?.texts ?? form.details?.texts ?? inner?.details?.texts ?? [:]
    if message.isEmpty { message = code }
    guard !message.isEmpty, message.utf8.count <= ServerError.longestMessage else { return nil }
  }

  private struct Form: Decodable {
    var code: Word?
    var error: Nested?
    var message: String?
    var details: Fields?
    var fields: Fields?
  }

  private struct Inner: Decodable {
    var code: Word?
    var message: String?
    var details: Fields?
  }

  /// A code comes as text or as a number.
  private struct Word: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let text = try? container.decode(String.self) {
        self.text = text
      } else {
        text = String(try container.decode(Int.self))
      }
    }
  }

  /// `error` is a word for some servers and an object for others.
  private struct Nested: Decodable {
    let text: String?
    let object: Inner?

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      text = try? container.decode(String.self)
      object = try? container.decode(Inner.self)
    }
  }

  /// Field names with a text or a list of texts each; anything else is passed over.
  private struct Fields: Decodable {
    let texts: [String: String]

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let single = try? container.decode([String: String].self) {
        texts = single
      } else if let several = try? container.decode([String: [String]].self) {
        texts = several.mapValues { $0.joined(separator: "; ") }
      } else {
        texts = [:]
      }
    }
  }
}
