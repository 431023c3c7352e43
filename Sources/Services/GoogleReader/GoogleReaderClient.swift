package import HTTP
package import News

/// Account at a server of the Google Reader API: its calls with typed answers.
///
/// Signs in by itself, once at a time. Everything fails with `SourceError` or `CancellationError`.
/// Copies share the sign-in.
package struct GoogleReaderClient: Sendable {
  package struct Settings: Sendable {
    /// Its base is the address above `accounts` and `reader`, as in
    /// `https://example.org/api/greader.php`.
    package var server: SyncServerSettings
    package var product: GoogleReaderProduct
    /// Looked up before each call.
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
  ///   - client: without an authorizer, or with one that does not know this origin.
  ///   - password: looks the password up when it is needed; nil where there is none.
  package init(
    _ settings: Settings, client: ResilientClient, password: @escaping PasswordLookup,
    tokens: SyncTokenStore = .inMemory()
  ) {
    self.settings = settings
    transfer = GoogleReaderTransfer(settings: settings, client: client)
    session = GoogleReaderSession(transfer, password: password, store: tokens)
    batchSize = Locked(GoogleReaderBatchSize(largest: settings.product.marksPerCall))
  }

  package var product: GoogleReaderProduct { settings.product }

  /// Says where most of the server's daily quota is used.
  package var warning: String? {
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

  /// The name of the user who is signed in: proves a password, and that nobody else answers.
  package func user() async throws -> String {
    try await reading(GoogleReaderCatalogue.userInfo())
  }

  func subscriptionList() async throws -> GoogleReaderList<Subscription> {
    try await reading(GoogleReaderCatalogue.subscriptions())
  }

  /// Folders and labels.
  package func tags() async throws -> GoogleReaderList<GoogleReaderTag> {
    try await reading(GoogleReaderCatalogue.tags())
  }

  /// Nil where the server does not count.
  package func unreadCount() async throws -> Int? {
    guard product.hasUnreadCounts else { return nil }
    return try await reading(GoogleReaderCatalogue.unreadCount())
  }

  // MARK: - Items

  package func idPage(
    of query: GoogleReaderIDQuery, count: Int, after continuation: String?
  ) async throws -> GoogleReaderIDPage {
    try await reading(
      GoogleReaderCatalogue.ids(query, of: product, count: count, after: continuation))
  }

  /// - Parameter ids: as many as `GoogleReaderProduct.contentsPerCall` at most.
  package func items(_ ids: [String]) async throws -> ItemBatch {
    let ids = ids.compactMap { GoogleReaderItemID($0) }
    guard !ids.isEmpty else { return ItemBatch(items: []) }
    let reading = GoogleReaderItemReading(product: product, base: settings.server.base)
    // Miniflux requires the token of writes here.
    guard product == .miniflux else {
      return try await self.reading(GoogleReaderCatalogue.contents(of: ids, token: nil, reading))
    }
    return try await writing(isSlow: false) {
      GoogleReaderCatalogue.contents(of: ids, token: $0, reading)
    }
  }

  // MARK: - Marks

  /// Ids in the next `mark`: more for a quick server, fewer for a slow one.
  package var marksPerCall: Int { batchSize.value.count }

  /// Sets or removes a mark, idempotently.
  ///
  /// When it returns, the server has confirmed the marks; the next look at the ids shows them.
  /// After a timeout they may have been accepted.
  package func mark(
    _ ids: [GoogleReaderItemID], _ mark: GoogleReaderStream, _ isSet: Bool
  ) async throws {
    guard !ids.isEmpty else { return }
    if case .label = mark, !product.keepsItemLabels {
      throw SourceError(
        .status, stage: .arguments, subject: transfer.host,
        message: "this server does not have labels of articles", next: "nothing was sent")
    }
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

  /// Changes a subscription. The list shows the outcome: servers answer repetitions in many ways.
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
      try await session.signIn.signing { try await transfer.send(endpoint, token: $0) }
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
}
