package import Foundation
internal import News
internal import Text

/// A comment on an article.
package struct Comment: Hashable, Sendable {
  package let id: String
  package let article: String
  package let author: String?
  package let published: Date
  package let text: String

  var position: Position { Position(published: published, id: id) }

  var json: JSONText {
    .object([
      ("id", .string(id)), ("articleID", .string(article)), ("author", .optional(author)),
      ("published", .string(published.iso8601)), ("text", .string(text)),
    ])
  }
}

/// The comments: a few made-up ones under most articles, and what clients posted, oldest first.
struct CommentBook: Sendable {
  private struct Receipt {
    let fingerprint: UInt64
    let comment: Comment
  }

  private struct Draft: Decodable {
    let text: String
    let author: String?
  }

  private static let longestText = 10_000
  private static let longestKey = 200

  private var comments: [String: [Comment]] = [:]
  private var receipts: [String: Receipt] = [:]

  /// Comments for the articles that are there at the start; nobody has commented on newer ones yet.
  init(_ archive: Archive) {
    for article in archive.articles {
      comments[article.entry.id] = Self.madeUp(from: archive.remarks, on: article)
    }
  }

  func comments(on id: String) -> [Comment] { comments[id] ?? [] }

  /// Keeps a comment once for each `Idempotency-Key`, however often it is sent.
  ///
  /// - Parameter user: who is signed in; the author of a comment that names none.
  /// - Returns: the comment, and whether it was new.
  /// - Throws: `APIError`: 400 without a key or with a body that is not JSON, 409 when the key came
  ///   with another comment before, 415 for another media type, 422 for a text that cannot be kept.
  mutating func post(
    _ request: WireRequest, by user: String?, on article: Archive.Article, now: Date
  ) throws -> (comment: Comment, isNew: Bool) {
    guard let key = request.header("Idempotency-Key"),
      (1...Self.longestKey).contains(key.utf8.count)
    else {
      throw APIError(
        status: 400, code: "idempotency_key_required",
        message: "A comment needs an Idempotency-Key of 1 to \(Self.longestKey) characters.")
    }
    let type = request.header("Content-Type")?.prefix { $0 != ";" } ?? ""
    guard type.isASCIIEqualIgnoringCase(to: "application/json") else {
      throw APIError(
        status: 415, code: "unsupported_media_type", message: "A comment is sent as JSON.")
    }
    let fingerprint = fnv1a(Array(article.entry.id.utf8) + [0] + request.body)
    if let receipt = receipts[key] {
      guard receipt.fingerprint == fingerprint else {
        throw APIError(
          status: 409, code: "idempotency_key_reused",
          message: "This Idempotency-Key belongs to another comment.")
      }
      return (receipt.comment, false)
    }
    let draft = try Self.draft(request.body)
    let last = comments(on: article.entry.id).last?.published ?? article.published
    let comment = Comment(
      id: "comment-\(receipts.count + 1)", article: article.entry.id, author: draft.author ?? user,
      published: max(now.wholeSeconds, last.addingTimeInterval(1)), text: draft.text)
    comments[article.entry.id, default: []].append(comment)
    receipts[key] = Receipt(fingerprint: fingerprint, comment: comment)
    return (comment, true)
  }

  private static func draft(_ body: [UInt8]) throws -> Draft {
    let draft: Draft
    do {
      draft = try JSONDecoder().decode(Draft.self, from: Data(body))
    } catch {
      throw APIError(
        status: 400, code: "malformed_body", message: "The body is not a comment in JSON.")
    }
    let problem: String? =
      if draft.text.allSatisfy(\.isWhitespace) {
        "must not be empty"
      } else if draft.text.unicodeScalars.count > longestText {
        "must not be longer than \(longestText) characters"
      } else {
        nil
      }
    if let problem {
      throw APIError(
        status: 422, code: "invalid_comment", message: "The comment cannot be kept.",
        fields: [("text", [problem])])
    }
    return draft
  }

  private static func madeUp(from remarks: [Remark], on article: Archive.Article) -> [Comment] {
    var dice = SplitMix64(seed: fnv1a(article.entry.id.utf8))
    let count = Int(dice.next() % 8)
    return (0..<count).compactMap { index in
      dice.pick(from: remarks).map { remark in
        Comment(
          id: "\(article.entry.id)-c\(index + 1)", article: article.entry.id,
          author: remark.author,
          published: article.published.addingTimeInterval(Double(index + 1) * 90),
          text: remark.text)
      }
    }
  }
}
