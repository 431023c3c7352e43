package import HTTP
internal import News

/// A user's account at a server of the Google Reader API: its calls with typed answers.
///
/// Signs in by itself, once at a time. Everything fails with `SourceError` or `CancellationError`. A value;
/// its copies share the sign-in.
package struct GoogleReaderClient: Sendable {
  package struct Settings: Sendable {
    /// Its base is the address below which `accounts` and `reader` lie, as in
    /// `https://example.org/api/greader.php`.
    package var server: SyncServerSettings
    package var product: GoogleReaderProduct
    /// Asked for before each call.
    package var application: @Sendable () async throws -> GoogleReaderApplication? = { nil }

    package init(_ server: SyncServerSettings, product: GoogleReaderProduct) {
      self.server = server
      self.product = product
    }
  }

  package let settings: Settings
  private let transfer: GoogleReaderTransfer
  private let session: GoogleReaderSession
  private let batchSize: Locked<GoogleReaderBatchSize>

  /// - Parameters:
  ///   - client: without an authorizer, or with one that knows nothing of this origin.
  ///   - password: looks the password up when it is needed; nil where there is none.
  package init(
    _ settings: Settings, client: ResilientClient,
    password: @escaping PasswordLookup,
    tokens: SyncTokenStore = .inMemory()
  ) {
    self.settings = settings
    transfer = GoogleReaderTransfer(settings: settings, client: client)
    session = GoogleReaderSession(transfer, password: password, store: tokens)
    batchSize = Locked(GoogleReaderBatchSize(largest: settings.product.marksPerCall))
  }

  package var product: GoogleReaderProduct { settings.product }

  /// Says so where little is left of what the server allows for today.
  package var quotaWarning: String? {
    guard let quota = transfer.quota.value else { return nil }
    let zones = [(quota.reads, "reads"), (quota.writes, "changes")]
    let parts = zones.compactMap { zone, name -> String? in
      guard let zone, zone.limit > 0, zone.used * 5 >= zone.limit * 4 else { return nil }
      return "\(zone.used) of \(zone.limit) \(name)"
    }
    guard !parts.isEmpty else { return nil }
    let again = quota.resetsAfter.map { " (again in \(max(1, Int($0 / .seconds(60)))) min)" } ?? ""
    return
      "\(transfer.host) allows few more calls today: \(parts.joined(separator: ", ")) are used\(again)"
  }

  // MARK: - Who, and what is read

  /// Who is signed in: what proves a password, and that nobody else answers.
  package func user() async throws -> GoogleReaderUser {
    try await reading(GoogleReaderCatalogue.userInfo())
  }

  package func subscriptions() async throws -> GoogleReaderList<GoogleReaderSubscription> {
    try await reading(GoogleReaderCatalogue.subscriptions())
  }

  /// Folders and labels.
  package func tags() async throws -> GoogleReaderList<GoogleReaderTag> {
    try await reading(GoogleReaderCatalogue.tags())
  }

  /// The server's counts of unread items; nil where it does not count.
  package func unreadCounts() async throws -> GoogleReaderList<GoogleReaderUnreadCount>? {
    guard product.hasUnreadCounts else { return nil }
    return try await reading(GoogleReaderCatalogue.unreadCounts())
  }

  // MARK: - Items

  /// All ids that a query has, walked to the end. To be compared with other sets only where
  /// `GoogleReaderIDSet.isWhole`, and before anything is written: marks move what is still to come.
  package func ids(
    of query: GoogleReaderIDQuery, pageSize: Int? = nil
  ) async throws -> GoogleReaderIDSet {
    let size = pageSize ?? product.idsPerPage
    var walk = GoogleReaderIDWalk(of: product, pageSize: size)
    var step = walk.begin()
    while true {
      switch step {
      case .end(let set): return set
      case .ask(let continuation):
        step = walk.received(try await idPage(of: query, count: size, after: continuation))
      }
    }
  }

  /// One page of ids, for who walks by himself.
  package func idPage(
    of query: GoogleReaderIDQuery, count: Int, after continuation: String?
  ) async throws -> GoogleReaderIDPage {
    try await reading(
      GoogleReaderCatalogue.ids(query, of: product, count: count, after: continuation))
  }

  /// Items by their ids.
  ///
  /// - Parameter ids: as many as `GoogleReaderProduct.contentsPerCall` at most.
  package func contents(of ids: [GoogleReaderItemID]) async throws -> GoogleReaderContents {
    guard !ids.isEmpty else { return GoogleReaderContents() }
    let reading = GoogleReaderItemReading(product: product, base: settings.server.base)
    // Miniflux signs even this by the token of writes.
    guard product == .miniflux else {
      return try await self.reading(
        GoogleReaderCatalogue.contents(of: ids, token: nil, reading))
    }
    return try await writing(isSlow: false) {
      GoogleReaderCatalogue.contents(of: ids, token: $0, reading)
    }
  }

  // MARK: - Marks

  /// How many ids the next `mark` should have: grows while the server is quick, shrinks while it is slow.
  package var marksPerCall: Int { batchSize.value.count }

  /// Sets a mark of items, or takes it away. Absolute: to send it again changes nothing.
  ///
  /// That it returns means only that the server has said so; the next look at the ids tells. Where it
  /// throws a timeout, the marks may have been taken.
  package func mark(
    _ ids: [GoogleReaderItemID], _ mark: GoogleReaderMark, _ isSet: Bool
  ) async throws {
    guard !ids.isEmpty else { return }
    if case .label = mark, !product.keepsItemLabels { throw unavailable("labels of articles") }
    let start = ContinuousClock.now
    do {
      try await writing {
        GoogleReaderCatalogue.edit(ids, mark, isSet: isSet, token: $0)
      }
    } catch let error as SourceError where error.kind == .timeout {
      batchSize.value.timedOut(ids.count)
      throw error
    }
    batchSize.value.answered(ids.count, in: ContinuousClock.now - start)
  }

  // MARK: - Subscriptions

  /// Changes a subscription. What came of it the list tells: servers answer repeats in many ways.
  package func change(_ change: GoogleReaderSubscriptionChange) async throws {
    try await writing { [product] in
      GoogleReaderCatalogue.change(change, of: product, token: $0)
    }
  }

  // MARK: - Sending

  private func reading<Response: Sendable>(
    _ endpoint: Endpoint<Response>
  ) async throws -> Response {
    try await convertingErrors {
      try await session.reading { try await transfer.send(endpoint, token: $0) }
    }
  }

  private func writing<Response: Sendable>(
    isSlow: Bool = true, _ endpoint: @Sendable (_ writeToken: String) -> Endpoint<Response>
  ) async throws -> Response {
    try await convertingErrors {
      try await session.writing { token, writeToken in
        try await transfer.send(endpoint(writeToken), token: token, isSlow: isSlow)
      }
    }
  }

  private func convertingErrors<Value>(_ body: () async throws -> Value) async throws -> Value {
    do { return try await body() } catch let error as CancellationError {
      throw error
    } catch {
      throw SourceError(ofGoogleReader: error, base: settings.server.base)
    }
  }

  private func unavailable(_ what: String) -> SourceError {
    SourceError(
      .status, stage: .arguments, subject: transfer.host,
      message: "this server does not have \(what)", next: "nothing was sent")
  }
}
