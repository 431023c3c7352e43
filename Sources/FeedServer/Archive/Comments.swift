package import Foundation
internal import News
internal import Text

/// A comment on an article.
package struct Comment: Hashable, Sendable {
  package let id: String
  package let article: String
  /// The id of the comment that it answers; nil where it answers the article.
  package fileprivate(set) var parent: String?
  package let author: String?
  package let published: Date
  package fileprivate(set) var text: String
  /// When it was last changed; nil where it never was.
  package fileprivate(set) var updated: Date?
  /// Counts the texts that it has had, from 1.
  package fileprivate(set) var version = 1
  /// Whether a client has written it, and may change it; and who was signed in then.
  fileprivate var isPosted = false
  /// The files that came with it.
  package fileprivate(set) var attachments: [Upload] = []
  fileprivate var owner: String?

  var position: Position { Position(published: published, id: id) }

  /// The value of its `ETag`; nil for one that nobody can change.
  var tag: String? { isPosted ? "\"\(version)\"" : nil }

  var json: JSONText {
    .object([
      ("id", .string(id)), ("articleID", .string(article)), ("parentID", .optional(parent)),
      ("author", .optional(author)), ("published", .string(published.iso8601)),
      ("updated", .optional(updated?.iso8601)),
      ("text", .string(text)), ("version", isPosted ? .string("\(version)") : .null),
      ("attachments", .array(attachments.map(\.attachment))),
    ])
  }
}

/// The comments: a few made-up ones under most articles, and what clients posted, oldest first.
struct CommentBook: Sendable {
  private struct Receipt {
    let fingerprint: UInt64
    let article: String
    let comment: String
  }

  /// A new comment, or a new text for one.
  private struct Draft: Decodable {
    let text: String
    let author: String?
    let attachments: [String]?
    let parentID: String?
  }

  private static let longestText = 10_000
  private static let longestKey = 200

  private var comments: [String: [Comment]] = [:]
  private var receipts: [String: Receipt] = [:]
  /// The ids of comments that were taken away.
  private var gone: Set<String> = []

  /// Comments for the articles that are there at the start; nobody has commented on newer ones yet.
  init(_ archive: Archive) {
    for article in archive.articles {
      comments[article.entry.id] = Self.madeUp(from: archive.remarks, on: article)
    }
  }

  func comments(on id: String) -> [Comment] { comments[id] ?? [] }

  /// - Throws: `APIError`: 404, and 410 for a comment that was taken away.
  func comment(_ id: String, on article: String) throws -> Comment {
    if let comment = comments(on: article).first(where: { $0.id == id }) { return comment }
    guard !gone.contains(id) else {
      throw APIError(status: 410, code: "gone", message: "This comment was taken away.")
    }
    throw APIError.notFound("such comment")
  }

  /// Changes the text of a comment, as another client of its author would. False without such a comment.
  @discardableResult
  mutating func rewrite(_ id: String, on article: String, _ text: String, now: Date) -> Bool {
    guard let index = comments(on: article).firstIndex(where: { $0.id == id }) else { return false }
    change(&comments[article, default: []][index], text, now)
    return true
  }

  /// Keeps a comment of another client.
  mutating func append(
    _ text: String, answering parent: String?, on article: Archive.Article, now: Date
  ) -> Comment {
    let id = article.entry.id
    let comment = Comment(
      id: "\(id)-r\(comments(on: id).count + 1)", article: id, parent: parent, author: nil,
      published: time(after: article, now), text: text)
    comments[id, default: []].append(comment)
    return comment
  }

  /// When a comment that comes now is published: after all that are there.
  private func time(after article: Archive.Article, _ now: Date) -> Date {
    let last = comments(on: article.entry.id).last?.published ?? article.published
    return max(now.wholeSeconds, last.addingTimeInterval(1))
  }

  /// Takes a comment away. False without such a comment.
  mutating func remove(_ id: String, on article: String) -> Bool {
    guard let index = comments(on: article).firstIndex(where: { $0.id == id }) else { return false }
    comments[article]?.remove(at: index)
    gone.insert(id)
    return true
  }

  private func change(_ comment: inout Comment, _ text: String, _ now: Date) {
    comment.text = text
    comment.version += 1
    comment.updated = max(now.wholeSeconds, comment.published)
  }

  /// Replaces the text of a comment where its version is the one that `If-Match` names (RFC 9110 §13.1.1).
  ///
  /// - Parameters:
  ///   - user: who is signed in.
  ///   - isBare: whether a conflict is a 412 that does not say what the comment is now.
  /// - Throws: `APIError`: 403 for the comment of somebody else, 404, 409 with the comment as it is for
  ///   another version, 410, 415, 422, and 428 without a version.
  mutating func edit(
    _ request: WireRequest, by user: String?, _ id: String, on article: String, isBare: Bool,
    now: Date
  ) throws -> Comment {
    var comment = try comment(id, on: article)
    guard comment.isPosted, comment.owner == user else {
      throw APIError(
        status: 403, code: "forbidden", message: "Only its author changes a comment.")
    }
    try Self.checkType(of: request)
    guard let wanted = request.header("If-Match") else {
      throw APIError(
        status: 428, code: "precondition_required",
        message: "A change of a comment names its version in If-Match.")
    }
    guard wanted == "*" || wanted == comment.tag else {
      throw APIError(
        status: isBare ? 412 : 409, code: "comment_changed",
        message: "The comment was changed meanwhile.", current: isBare ? nil : comment.json)
    }
    let draft = try Self.draft(request.body)
    guard draft.text != comment.text else { return comment }
    change(&comment, draft.text, now)
    rewrite(id, on: article, draft.text, now: now)
    return comment
  }

  /// Keeps a comment once for each `Idempotency-Key`, however often it is sent.
  ///
  /// - Parameters:
  ///   - user: who is signed in; the author of a comment that names none.
  ///   - attached: the files of these ids.
  /// - Returns: the comment, and whether it was new.
  /// - Throws: `APIError`: 400 without a key or with a body that is not JSON, 409 when the key came
  ///   with another comment before, 415 for another media type, 422 for a text that cannot be kept.
  mutating func post(
    _ request: WireRequest, by user: String?, on article: Archive.Article, now: Date,
    _ attached: ([String]) throws -> [Upload]
  ) throws -> (comment: Comment, isNew: Bool) {
    guard let key = request.header("Idempotency-Key"),
      (1...Self.longestKey).contains(key.utf8.count)
    else {
      throw APIError(
        status: 400, code: "idempotency_key_required",
        message: "A comment needs an Idempotency-Key of 1 to \(Self.longestKey) characters.")
    }
    try Self.checkType(of: request)
    let fingerprint = fnv1a(Array(article.entry.id.utf8) + [0] + request.body)
    if let receipt = receipts[key] {
      let kept = try comment(receipt.comment, on: receipt.article)
      guard receipt.fingerprint == fingerprint else {
        throw APIError(
          status: 409, code: "idempotency_key_reused",
          message: "This Idempotency-Key belongs to another comment.", current: kept.json)
      }
      return (kept, false)
    }
    let draft = try Self.draft(request.body)
    if let parent = draft.parentID,
      !comments(on: article.entry.id).contains(where: { $0.id == parent })
    {
      throw APIError(
        status: 422, code: "invalid_comment", message: "The comment cannot be kept.",
        fields: [("parentID", ["is no comment on this article"])])
    }
    let files = try attached(draft.attachments ?? [])
    let comment = Comment(
      id: "comment-\(receipts.count + 1)", article: article.entry.id, parent: draft.parentID,
      author: draft.author ?? user, published: time(after: article, now), text: draft.text,
      isPosted: true, attachments: files, owner: user)
    comments[article.entry.id, default: []].append(comment)
    receipts[key] = Receipt(
      fingerprint: fingerprint, article: article.entry.id, comment: comment.id)
    return (comment, true)
  }

  private static func checkType(of request: WireRequest) throws {
    let type = request.header("Content-Type")?.prefix { $0 != ";" } ?? ""
    guard type.isASCIIEqualIgnoringCase(to: "application/json") else {
      throw APIError(
        status: 415, code: "unsupported_media_type", message: "A comment is sent as JSON.")
    }
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
