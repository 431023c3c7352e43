internal import Foundation

/// The body of a refusal: `{code|error, message|error_message, details|fields}`.
package struct ServerError: Sendable, Hashable {
  /// Longer texts are pages, not messages.
  private static let longestMessage = 500

  /// The server's name for the error, as in `feed_locked`; empty where it gave none.
  package var code: String
  /// For the screen. Comes from outside: pass it through the sanitiser.
  package var message: String
  /// Messages by field of the request.
  package var fields: [String: String]

  package init(code: String, message: String, fields: [String: String] = [:]) {
    self.code = code
    self.message = message
    self.fields = fields
  }

  /// nil where the body is not such an object, or says nothing.
  package init?(body: [UInt8]) {
    guard body.count <= 64 << 10,
      let form = try? HTTPCoding.decoder.decode(Form.self, from: Data(body))
    else { return nil }
    let inner = form.error?.object
    code = form.code?.text ?? form.error?.text ?? inner?.code?.text ?? ""
    let first = form.errors?.first
    message =
      form.message ?? form.error_message ?? inner?.message ?? first?.object?.message ?? first?.text
      ?? ""
    fields = form.fields?.texts ?? form.details?.texts ?? inner?.details?.texts ?? [:]
    if message.isEmpty { message = code }
    guard !message.isEmpty, message.utf8.count <= ServerError.longestMessage else { return nil }
  }

  /// Each field and what is wrong with it, in a bounded number of words; nil where there is none.
  var fieldWords: String? {
    guard !fields.isEmpty else { return nil }
    let shown = fields.sorted { $0.key < $1.key }.prefix(8)
      .map { "\($0.key.prefix(60)): \($0.value.prefix(160))" }
    let more = fields.count > shown.count ? ["and \(fields.count - shown.count) more"] : []
    return (shown + more).joined(separator: "; ")
  }

  private struct Form: Decodable {
    var code: Word?
    var error: Nested?
    var message: String?
    var error_message: String?
    var details: Fields?
    var fields: Fields?
    var errors: NestedList?
  }

  /// A list of errors, as GraphQL and JSON:API have it; empty for anything else.
  private struct NestedList: Decodable {
    let first: Nested?

    init(from decoder: any Decoder) throws {
      first = (try? decoder.singleValueContainer().decode([Nested].self))?.first
    }
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

  /// A text, or a list of texts; nil for anything else.
  private struct Words: Decodable {
    let text: String?

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      text =
        (try? container.decode(String.self))
        ?? (try? container.decode([String].self))?.joined(separator: "; ")
    }
  }

  /// Field names with a text or a list of texts each; anything else is passed over.
  private struct Fields: Decodable {
    let texts: [String: String]

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      let words = (try? container.decode([String: Words?].self)) ?? [:]
      texts = words.compactMapValues { $0?.text }
    }
  }
}
