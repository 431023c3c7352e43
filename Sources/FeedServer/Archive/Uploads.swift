internal import Foundation
internal import Text

/// A file that a client sends, to be attached to a comment.
package struct Upload: Hashable, Sendable {
  package let id: String
  package let name: String
  package let type: String
  /// What the client has announced, in bytes.
  package let length: Int64
  /// What has come of it.
  package fileprivate(set) var offset: Int64 = 0
  package fileprivate(set) var isComplete = false
  /// What has come, as long as that is not more than `UploadBook.mostKept`.
  package fileprivate(set) var bytes: [UInt8] = []
  fileprivate var owner: String?

  var json: JSONText {
    .object([
      ("id", .string(id)), ("name", .string(name)), ("type", .string(type)),
      ("length", .number(length)), ("offset", .number(offset)), ("complete", .bool(isComplete)),
    ])
  }

  /// As a comment has it.
  var attachment: JSONText {
    .object([
      ("id", .string(id)), ("name", .string(name)), ("type", .string(type)),
      ("length", .number(length)),
    ])
  }
}

/// The files that clients send: whole in a form, or in pieces that follow one another.
struct UploadBook: Sendable {
  private struct Receipt {
    let fingerprint: UInt64
    let upload: String
  }

  private struct Announcement: Decodable {
    let name: String
    let type: String
    let length: Int64
  }

  /// Bytes of the largest file, of the largest in a form, and of those whose bytes are kept.
  static let longest: Int64 = 1 << 30
  static let longestForm = 8 << 20
  static let mostKept: Int64 = 64 << 20

  private(set) var uploads: [Upload] = []
  private var receipts: [String: Receipt] = [:]

  subscript(id: String) -> Upload? { uploads.first { $0.id == id } }

  /// - Throws: `APIError`: 404 for an unknown one and for somebody else's.
  func upload(_ id: String, of user: String?) throws -> Upload {
    guard let upload = self[id], upload.owner == user else {
      throw APIError.notFound("such upload")
    }
    return upload
  }

  /// Takes a whole file, or the announcement of one.
  ///
  /// - Returns: the upload, and whether it is new.
  /// - Throws: `APIError`: 400, 409 for a key that came with another file, 413, 415 and 422.
  mutating func begin(_ request: WireRequest, by user: String?) throws -> (Upload, isNew: Bool) {
    guard let key = request.header("Idempotency-Key"), (1...200).contains(key.utf8.count) else {
      throw APIError(
        status: 400, code: "idempotency_key_required",
        message: "An upload needs an Idempotency-Key of 1 to 200 characters.")
    }
    let type = request.header("Content-Type") ?? ""
    let upload: Upload
    if type.hasPrefix("multipart/form-data") {
      upload = try whole(request.body, type, by: user)
    } else if type.prefix(while: { $0 != ";" }) == "application/json" {
      upload = try announced(request.body, by: user)
    } else {
      throw APIError(
        status: 415, code: "unsupported_media_type",
        message: "A file comes as a form, or is announced in JSON.")
    }
    // Not of the body: the boundary of a form is another one in each attempt.
    let fingerprint = fnv1a(
      Array("\(upload.name)\n\(upload.type)\n\(upload.length)\n".utf8) + upload.bytes)
    if let receipt = receipts[key] {
      guard receipt.fingerprint == fingerprint, let kept = self[receipt.upload] else {
        throw APIError(
          status: 409, code: "idempotency_key_reused",
          message: "This Idempotency-Key belongs to another upload.")
      }
      return (kept, false)
    }
    receipts[key] = Receipt(fingerprint: fingerprint, upload: upload.id)
    uploads.append(upload)
    return (upload, true)
  }

  /// Takes a piece.
  ///
  /// - Parameter most: the bytes of it that arrive; nil for all.
  /// - Throws: `APIError`: 400, 404, 409 where it is complete, and 416 for a piece that does not begin where
  ///   the last one ended.
  mutating func append(
    _ request: WireRequest, to id: String, by user: String?, most: Int?
  ) throws -> Upload {
    let upload = try upload(id, of: user)
    guard let index = uploads.firstIndex(where: { $0.id == id }) else {
      throw APIError.notFound("such upload")
    }
    guard let range = Self.range(request.header("Content-Range")), range.total == upload.length,
      range.last - range.first + 1 == Int64(request.body.count)
    else {
      throw APIError(
        status: 400, code: "malformed_range",
        message: "A piece says in Content-Range which bytes it has, and of how many.")
    }
    guard !upload.isComplete else {
      throw APIError(
        status: 409, code: "upload_complete", message: "All of it is there.",
        current: upload.json)
    }
    guard range.first == upload.offset else {
      throw APIError(
        status: 416, code: "wrong_offset", message: "The next byte is \(upload.offset).",
        headers: [("Upload-Offset", "\(upload.offset)")])
    }
    let bytes = request.body.prefix(most ?? .max)
    uploads[index].offset += Int64(bytes.count)
    if upload.length <= Self.mostKept { uploads[index].bytes += bytes }
    return uploads[index]
  }

  /// - Returns: the upload, and whether this has made it complete.
  /// - Throws: `APIError`: 404, and 409 where a part is missing.
  mutating func finalize(_ id: String, by user: String?) throws -> (Upload, isNew: Bool) {
    let upload = try upload(id, of: user)
    guard let index = uploads.firstIndex(where: { $0.id == id }), !upload.isComplete else {
      return (upload, false)
    }
    guard upload.offset == upload.length else {
      throw APIError(
        status: 409, code: "upload_incomplete",
        message: "There are \(upload.offset) of \(upload.length) bytes.", current: upload.json)
    }
    uploads[index].isComplete = true
    return (uploads[index], true)
  }

  mutating func drop(_ id: String, by user: String?) throws {
    _ = try upload(id, of: user)
    forget(id)
  }

  mutating func forget(_ id: String) { uploads.removeAll { $0.id == id } }

  /// The files that a comment names.
  ///
  /// - Throws: `APIError`: 422 for one that is not there, or not complete.
  func attachments(_ ids: [String], of user: String?) throws -> [Upload] {
    try ids.map { id in
      guard let upload = self[id], upload.owner == user, upload.isComplete else {
        throw APIError(
          status: 422, code: "unknown_attachment", message: "There is no such attachment.",
          fields: [("attachments", ["\(id) is not an upload that is complete"])])
      }
      return upload
    }
  }

  // MARK: Bodies

  private var nextID: String { "upload-\(receipts.count + 1)" }

  private func announced(_ body: [UInt8], by user: String?) throws -> Upload {
    guard let file = try? JSONDecoder().decode(Announcement.self, from: Data(body)),
      !file.name.isEmpty, file.length > 0
    else {
      throw APIError(
        status: 422, code: "invalid_upload",
        message: "A file has a name, a type and a length of 1 byte or more.")
    }
    guard file.length <= Self.longest else { throw tooLarge(Self.longest) }
    return Upload(
      id: nextID, name: file.name, type: file.type, length: file.length, owner: user)
  }

  private func whole(_ body: [UInt8], _ type: String, by user: String?) throws -> Upload {
    guard body.count <= Self.longestForm else { throw tooLarge(Int64(Self.longestForm)) }
    guard let part = WireForm.file(in: body, type), !part.name.isEmpty else {
      throw APIError(
        status: 400, code: "malformed_body", message: "This is not a form with one file.")
    }
    var upload = Upload(
      id: nextID, name: part.name, type: part.type, length: Int64(part.bytes.count), owner: user)
    upload.offset = upload.length
    upload.bytes = part.bytes
    upload.isComplete = true
    return upload
  }

  private func tooLarge(_ most: Int64) -> APIError {
    APIError(
      status: 413, code: "too_large", message: "A file has \(most >> 20) MiB at most here.")
  }

  /// `bytes 0-5242879/209715200`
  private static func range(_ text: String?) -> (first: Int64, last: Int64, total: Int64)? {
    guard let text, text.hasPrefix("bytes ") else { return nil }
    let numbers = text.dropFirst(6).split(
      omittingEmptySubsequences: false, whereSeparator: { $0 == "-" || $0 == "/" }
    ).compactMap { Int64($0) }
    guard numbers.count == 3, numbers[0] >= 0, numbers[0] <= numbers[1], numbers[1] < numbers[2]
    else { return nil }
    return (numbers[0], numbers[1], numbers[2])
  }
}

/// A form with one file (RFC 7578), read strictly: lines end with CR LF, and nothing stands around the parts.
enum WireForm {
  static func file(
    in body: [UInt8], _ type: String
  ) -> (name: String, type: String, bytes: [UInt8])? {
    guard let mark = type.range(of: "boundary=") else { return nil }
    let boundary = type[mark.upperBound...]
    let data = Data(body)
    let (opening, closing) = (Data("--\(boundary)\r\n".utf8), Data("\r\n--\(boundary)--\r\n".utf8))
    guard data.starts(with: opening), data.suffix(closing.count) == closing,
      let headEnd = data.range(of: Data("\r\n\r\n".utf8)),
      data.count >= headEnd.upperBound + closing.count
    else { return nil }
    let contents = data[headEnd.upperBound..<data.count - closing.count]
    // A second part.
    guard contents.range(of: Data("\r\n--\(boundary)".utf8)) == nil else { return nil }
    let head = String(decoding: data[opening.count..<headEnd.lowerBound], as: UTF8.self)
    let lines = head.components(separatedBy: "\r\n")
    let prefix = #"Content-Disposition: form-data; name="file"; filename=""#
    guard lines.count == 2, lines[0].hasPrefix(prefix), lines[0].hasSuffix("\""),
      lines[1].hasPrefix("Content-Type: ")
    else { return nil }
    let quoted = lines[0].dropFirst(prefix.count).dropLast()
    guard !quoted.contains("\"") else { return nil }
    let name = quoted.replacingOccurrences(of: "%22", with: "\"")
      .replacingOccurrences(of: "%0D", with: "\r").replacingOccurrences(of: "%0A", with: "\n")
    return (name, String(lines[1].dropFirst(14)), [UInt8](contents))
  }
}
