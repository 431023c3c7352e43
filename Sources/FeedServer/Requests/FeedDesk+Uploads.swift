extension FeedDesk {
  /// `/api/uploads` and what is below it.
  ///
  /// - Parameter parts: of the path, behind `uploads`.
  mutating func answerUploads(
    _ request: WireRequest, _ parts: ArraySlice<String>, faults: [Fault]
  ) throws -> WireReply {
    let user = sessions.user(of: request)
    let id = parts.first ?? ""
    switch (request.method, parts.count, parts.last) {
    case ("POST", 0, _):
      let (upload, isNew) = try uploads.begin(request, by: user)
      return reply(with: upload, status: isNew ? 201 : 200)
    case ("GET", 1, _), ("HEAD", 1, _):
      return reply(with: try uploads.upload(id, of: user), status: 200)
    case ("PUT", 1, _):
      let most = faults.lazy.compactMap { fault -> Int? in
        if case .cutUpload(let count) = fault { count } else { nil }
      }.first
      return reply(
        with: try uploads.append(request, to: id, by: user, most: most), status: 200)
    case ("DELETE", 1, _):
      try uploads.drop(id, by: user)
      return WireReply(status: 204)
    case ("POST", 2, "finalize"):
      let (upload, isNew) = try uploads.finalize(id, by: user)
      return reply(with: upload, status: isNew ? 201 : 200)
    case (_, 0, _): throw APIError.methodNotAllowed("POST")
    case (_, 1, _): throw APIError.methodNotAllowed("GET, HEAD, PUT, DELETE")
    case (_, 2, "finalize"): throw APIError.methodNotAllowed("POST")
    default: throw APIError.notFound("such address")
    }
  }

  private func reply(with upload: Upload, status: Int) -> WireReply {
    WireReply(
      status: status,
      headers: [
        ("Content-Type", Self.jsonType), ("Upload-Offset", "\(upload.offset)"),
        ("Cache-Control", "no-store"),
      ], body: upload.json.bytes)
  }
}
