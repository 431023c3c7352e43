package import HTTP
package import News

/// A user's account at a server of the Google Reader API: its calls with typed answers.
///
/// Signs in by itself, once at a time. Everything fails with `SourceError` or `CancellationError`. A value;
/// its copies share the sign-in.
package struct GoogleReaderClient: Sendable {
  package struct Settings: Sendable {
    /// The address below which `accounts` and `reader` lie, as in
    /// `https://example.org/api/greader.php`.
    package var base: String
    package var product: GoogleReaderProduct
    package var user: String
    /// Asked for before each call.
    package var application: @Sendable () async throws -> GoogleReaderApplication? = { nil }
    package var limits = HTTPLimits()
    /// How long a server may be silent over marks and subscriptions: FreshRSS fetches a new feed at once.
    package var slowSilence: Duration = .seconds(120)
    /// Bounds all calls together, for a command with a time limit of its own.
    package var deadline: ContinuousClock.Instant?
    package var connections = ConnectionPolicy.anywhere
    /// The way that requests go; nil for that of the settings.
    package var route: @Sendable () async throws -> ProxyChoice? = { nil }
    package var report: @Sendable (SourceEvent) -> Void = { _ in }
    /// Told after each answer that names a quota.
    package var onQuota: @Sendable (GoogleReaderQuota) -> Void = { _ in }

    package init(base: String, product: GoogleReaderProduct, user: String) {
      self.base = base
      self.product = product
      self.user = user
    }
  }

  package let settings: Settings
  private let transfer: GoogleReaderTransfer
  private let session: GoogleReaderSession
  private let batchSize: Locked<GoogleReaderBatchSize>
  /// What the server has said last of how often it may still be asked; nil where it says nothing.
  private let quota = Locked<GoogleReaderQuota?>(nil)

  /// - Parameters:
  ///   - client: without an authorizer, or with one that knows nothing of this origin.
  ///   - password: looks the password up when it is needed; nil where there is none.
  package init(
    _ settings: Settings, client: ResilientClient,
    password: @escaping PasswordLookup,
    tokens: SyncTokenStore = .inMemory()
  ) {
    let (quota, told) = (quota, settings.onQuota)
    var settings = settings
    settings.onQuota = {
      quota.value = $0
      told($0)
    }
    self.settings = settings
    transfer = GoogleReaderTransfer(settings: settings, client: client)
    session = GoogleReaderSession(transfer, password: password, store: tokens)
    batchSize = Locked(GoogleReaderBatchSize(largest: settings.product.marksPerCall))
  }

  package var product: GoogleReaderProduct { settings.product }

  /// Says so where little is left of what the server allows for today.
  package var quotaWarning: String? {
    guard let quota = quota.value else { return nil }
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

  /// What the server counts as unread; nil where it does not count.
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
    let reading = GoogleReaderItemReading(product: product, base: settings.base)
    // Miniflux signs even this by the token of writes.
    guard product == .miniflux else {
      return try await self.reading(
        GoogleReaderCatalogue.contents(of: ids, token: nil, reading))
    }
    return try await writing(isSlow: false) {
      GoogleReaderCatalogue.contents(of: ids, token: $0, reading)
    }
  }

  /// A page of a stream with its contents, where the server has such a thing
  /// (`GoogleReaderProduct.hasStreamContents`). To continue it proves nothing of what is absent.
  package func contents(
    of query: GoogleReaderIDQuery, count: Int, after continuation: String?
  ) async throws -> GoogleReaderContents {
    guard product.hasStreamContents else { throw unavailable("streams with their contents") }
    return try await reading(
      GoogleReaderCatalogue.contents(
        query, of: product, count: count, after: continuation,
        GoogleReaderItemReading(product: product, base: settings.base)))
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

  /// Marks a stream as read as far as the server had taken it in by a moment of its own clock.
  ///
  /// - Parameter until: microseconds since 1970.
  package func markAllAsRead(_ stream: GoogleReaderStream, until: Int64) async throws {
    try await writing {
      GoogleReaderCatalogue.markAllAsRead(stream, until: until, token: $0)
    }
  }

  // MARK: - Subscriptions

  /// Changes a subscription. What came of it the list tells: servers answer repeats in many ways.
  package func change(_ change: GoogleReaderSubscriptionChange) async throws {
    try await writing { [product] in
      GoogleReaderCatalogue.change(change, of: product, token: $0)
    }
  }

  /// Has the server look for the feed of an address and subscribe to it.
  ///
  /// - Returns: the id of the subscription, where the server names it.
  package func quickAdd(_ address: String) async throws -> String? {
    guard product.hasQuickAdd else { throw unavailable("looking for the feed of a page") }
    return try await writing { GoogleReaderCatalogue.quickAdd(address, token: $0) }
  }

  /// Renames a folder or a label.
  package func renameLabel(_ name: String, to other: String) async throws {
    guard product.editsLabels else { throw unavailable("renaming folders") }
    try await writing { GoogleReaderCatalogue.renameLabel(name, to: other, token: $0) }
  }

  /// Removes a folder or a label; feeds stay, outside of it.
  package func disableLabel(_ name: String) async throws {
    guard product.editsLabels else { throw unavailable("removing folders") }
    try await writing { GoogleReaderCatalogue.disableLabel(name, token: $0) }
  }

  // MARK: - Sending

  private func reading<Response: Sendable>(
    _ endpoint: Endpoint<Response>
  ) async throws -> Response {
    try await told {
      try await session.reading { try await transfer.send(endpoint, token: $0) }
    }
  }

  private func writing<Response: Sendable>(
    isSlow: Bool = true, _ endpoint: @Sendable (_ writeToken: String) -> Endpoint<Response>
  ) async throws -> Response {
    try await told {
      try await session.writing { token, writeToken in
        try await transfer.send(endpoint(writeToken), token: token, isSlow: isSlow)
      }
    }
  }

  private func told<Value>(_ body: () async throws -> Value) async throws -> Value {
    do { return try await body() } catch let error as CancellationError {
      throw error
    } catch {
      throw SourceError(ofGoogleReader: error, base: settings.base)
    }
  }

  private func unavailable(_ what: String) -> SourceError {
    SourceError(
      .status, stage: .arguments, subject: transfer.host,
      message: "this server does not have \(what)", next: "nothing was sent")
  }
}
