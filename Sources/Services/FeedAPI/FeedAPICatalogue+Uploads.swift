internal import HTTP

/// The routes of files that are attached to comments.
extension FeedAPICatalogue {
  /// Sends a small file in one request.
  ///
  /// - Parameter key: the idempotency key, the same for every attempt to send this file.
  static func upload(_ form: MultipartForm, key: String) -> Endpoint<Upload> {
    Endpoint(json: .post, ["uploads"], headers: ["Idempotency-Key": key], body: form.body)
  }

  /// Announces a file that comes in pieces.
  static func begin(_ file: NewUpload, key: String) throws -> Endpoint<Upload> {
    Endpoint(
      json: .post, ["uploads"], headers: ["Idempotency-Key": key], body: try .json(file))
  }

  /// How far it is.
  static func upload(_ id: String) -> Endpoint<Upload> {
    Endpoint(json: .get, ["uploads", id])
  }

  /// Sends a piece, which is not empty.
  static func send(
    _ bytes: [UInt8], at offset: Int64, of length: Int64, to id: String
  ) -> Endpoint<Upload> {
    Endpoint(
      json: .put, ["uploads", id],
      headers: [
        "Content-Range": "bytes \(offset)-\(offset + Int64(bytes.count) - 1)/\(length)"
      ],
      body: HTTPBody(bytes, contentType: "application/octet-stream"))
  }

  /// Says that all of it has been sent. Doing so again changes nothing.
  static func finalize(_ id: String, key: String) -> Endpoint<Upload> {
    Endpoint(json: .post, ["uploads", id, "finalize"], headers: ["Idempotency-Key": key])
  }

  /// Drops it with what has come.
  static func drop(_ id: String) -> Endpoint<Void> {
    Endpoint(empty: .delete, ["uploads", id])
  }

  struct NewUpload: Encodable, Sendable {
    var name: String
    var type: String
    /// Bytes.
    var length: Int64
  }

  struct Upload: Decodable, Sendable {
    var id: String
    /// The bytes that the server has.
    var offset: Int64
    var complete: Bool
  }
}
