internal import HTTP
internal import News

/// A feed that was imported and never fetched. Its first response decides whether it is a document or
/// the Feed API; from then on the stored format does.
struct UnknownFeed: PageSource {
  let document: WebFeed

  func page(after cursor: Cursor?, known: KnownPage) async throws -> PageAnswer {
    guard cursor == nil else { return try await document.page(after: cursor, known: known) }
    let response = try await document.fetcher.document(
      at: document.url, accept: WebFeed.accept, known: known, connections: document.connections,
      takesCut: true)
    let movedTo = response.head.permanentURL
    let page = try await document.fetcher.firstPageOfAPI(
      at: movedTo ?? document.url, response, connections: document.connections)
    if let page { return PageAnswer(.page(page), movedTo: movedTo) }
    return try await document.answer(to: response, known: known)
  }
}
