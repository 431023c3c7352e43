extension GoogleReaderDesk {
  mutating func answer(
    toWrite call: Call, of user: String, faults: [GoogleReaderFault]
  ) throws -> Answer {
    guard call.isPost else { throw Self.notFound }
    let parameters = call.parameters
    switch call.name {
    case "edit-tag": return try editTag(parameters, of: user, faults)
    case "mark-all-as-read": try markAllAsRead(parameters, of: user, faults)
    case "subscription/edit": try editSubscription(parameters, of: user)
    case "subscription/quickadd" where quirks.hasQuickAdd:
      guard let address = parameters["quickadd"], !address.isEmpty else { throw Self.badRequest }
      return quickAdd(address, of: user)
    case "rename-tag" where quirks.hasLabelEdits:
      let (from, to) = (parameters["s"].flatMap(Self.label), parameters["dest"].flatMap(Self.label))
      guard let from, let to, library(of: user).has(label: from) else { throw Self.badRequest }
      users[user]?.library.renameLabel(from, to: to)
    case "disable-tag" where quirks.hasLabelEdits:
      guard let label = parameters["s"].flatMap(Self.label), library(of: user).has(label: label)
      else { throw Self.badRequest }
      users[user]?.library.disableLabel(label)
    default: throw Self.notFound
    }
    return Self.done
  }

  private static let done = Answer(reply: WireReply(type: textType, text: "OK"))

  // MARK: - Marks

  private mutating func editTag(
    _ parameters: WireParameters, of user: String, _ faults: [GoogleReaderFault]
  ) throws -> Answer {
    // Beyond its bound on pairs PHP sees nothing but what reads the body by itself: the ids.
    let seen = parameters.prefix(quirks.readPairs)
    let (added, removed) = (seen.all("a"), seen.all("r"))
    var ids = parameters.all("i").compactMap(number)
    if let limit = quirks.largestEdit, ids.count > limit { throw Self.badRequest }
    let adding = try added.compactMap(mark)
    let removing = try removed.compactMap(mark)
    if added.contains(where: { Self.state($0) == "kept-unread" }) {
      users[user]?.library.mark(ids, adding: [], removing: [.read])
    }
    if faults.contains(.ignoredMark) { ids = [] }
    if faults.contains(.halfMark) { ids = Array(ids.prefix(ids.count / 2)) }
    users[user]?.library.mark(ids, adding: adding, removing: removing)
    var answer = Self.done
    answer.milliseconds = ids.count * quirks.millisecondsPerMark
    return answer
  }

  /// Nil for a state that is not kept.
  private func mark(_ name: String) throws -> GoogleReaderModel.Mark? {
    if let label = Self.label(name) {
      switch quirks.itemLabels {
      case .kept: return .label(label)
      case .refused: throw Self.badRequest
      case .ignored: return nil
      }
    }
    return switch Self.state(name) {
    case "read": .read
    case "starred": .starred
    default: nil
    }
  }

  private mutating func markAllAsRead(
    _ parameters: WireParameters, of user: String, _ faults: [GoogleReaderFault]
  ) throws {
    guard let stream = parameters["s"].flatMap({ stream($0, of: user) }) else {
      throw Self.badRequest
    }
    let until = try parameters["ts"].map { text in
      guard let until = Int64(text), until >= 0 else { throw Self.badRequest }
      return until
    }
    guard !faults.contains(.ignoredMark) else { return }
    users[user]?.library.markAllAsRead(in: stream, until: until == 0 ? nil : until)
  }

  // MARK: - Subscriptions

  private mutating func quickAdd(_ address: String, of user: String) -> Answer {
    guard let feed = users[user]?.library.subscribe(to: address) else { return Self.done }
    let value = JSONText.object([
      ("numResults", .number(1)), ("query", .string(address)), ("streamId", .string(feed.stream)),
      ("streamName", .string(feed.title)),
    ])
    return Answer(
      reply: WireReply(headers: [("Content-Type", Self.jsonType)], body: value.bytes))
  }

  private mutating func editSubscription(_ parameters: WireParameters, of user: String) throws {
    guard let name = parameters["s"], name.hasPrefix("feed/") else { throw Self.badRequest }
    let rest = String(name.dropFirst("feed/".count))
    let known = library(of: user).feeds.first { $0.url == rest || $0.stream == name }
    switch parameters["ac"] {
    case "subscribe":
      guard known == nil else {
        if quirks.refusesReplays { throw Self.badRequest }
        return
      }
      let title = parameters["t"].flatMap { $0.isEmpty ? nil : $0 }
      users[user]?.library.subscribe(
        to: rest, title: title, folders: parameters.all("a").compactMap(Self.label))
    case "unsubscribe":
      guard let known else {
        if quirks.refusesReplays { throw Self.badRequest }
        return
      }
      users[user]?.library.unsubscribe(from: known.stream)
    case "edit":
      guard let known else { return }
      let (quirks, added) = (quirks, parameters.all("a").compactMap(Self.label))
      let removed = parameters.all("r").compactMap(Self.label)
      users[user]?.library.change(known.stream) { feed in
        if let title = parameters["t"], !title.isEmpty { feed.title = title }
        if quirks.removalMovesToRoot, !removed.isEmpty {
          feed.folders = []
          return
        }
        feed.folders.removeAll(where: removed.contains)
        if quirks.oneFolderPerFeed, let last = added.last {
          feed.folders = [last]
        } else {
          feed.folders += added.filter { !feed.folders.contains($0) }
        }
      }
    default: throw Self.badRequest
    }
  }
}
