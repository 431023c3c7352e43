internal import News
internal import Screen

/// The line at the bottom: what is typed into it, and what an answer to it does.
extension ReaderState {
  mutating func type(_ key: KeyEvent) -> [Effect] {
    guard let prompt else { return [] }
    if key == .control("z") { return [.suspend] }
    switch prompt {
    case .addFeed(let line): return edit(line, key, Prompt.addFeed, finish: finishAddress)
    case .signInName(let address, let line):
      return edit(line, key, { .signInName(address: address, $0) }) { $0.finishName(address, $1) }
    case .signInPassword(let address, let name, let line):
      return edit(line, key, { .signInPassword(address: address, name: name, $0) }) {
        $0.finishPassword(address, name, $1)
      }
    case .search(let line): return editSearch(line, key)
    case .link(let line): return edit(line, key, Prompt.link, finish: finishLink)
    case .removeFeed(let id, let title):
      self.prompt = nil
      return isYes(key) ? [.removeFeed(id, title: title)] : []
    case .moveFeed(let id, _, let address):
      self.prompt = nil
      return isYes(key) ? [.moveFeed(id, to: address, isTyped: false)] : []
    case .feedAddress(let id, let line):
      return edit(line, key, { .feedAddress(id, $0) }) { $0.finishFeedAddress(id, $1) }
    case .markAllRead(let timeline, _, let newest, let unseen):
      self.prompt = nil
      return isYes(key) ? markAllRead(timeline, notNewerThan: newest, except: unseen) : []
    }
  }

  mutating func paste(_ text: String) -> [Effect] {
    switch prompt {
    case .addFeed(var line):
      line.insert(text)
      prompt = .addFeed(line)
    case .search(var line):
      line.insert(text)
      prompt = .search(line)
      return [.settleSearch(line.text)]
    case .feedAddress(let id, var line):
      line.insert(text)
      prompt = .feedAddress(id, line)
    case .signInName(let address, var line):
      line.insert(text)
      prompt = .signInName(address: address, line)
    case .signInPassword(let address, let name, var line):
      line.insert(text)
      prompt = .signInPassword(address: address, name: name, line)
    case .link, .removeFeed, .moveFeed, .markAllRead:
      break
    case nil:
      // An address that is pasted into a list is one to subscribe to.
      guard text.contains("://") else {
        return tell("what was pasted is no address of a feed; ? shows the keys")
      }
      var line = LineEditor()
      line.insert(text)
      prompt = .addFeed(line)
    }
    return []
  }

  mutating func beginLinkNumber(_ digit: Character) -> [Effect] {
    guard let count = article?.page?.linkCount, count > 0 else {
      return tell("this article has no links")
    }
    // With fewer than ten links one digit says it all.
    if count < 10, let number = digit.wholeNumberValue {
      guard number <= count else { return tell("there is no link \(number)", .error) }
      return openLink(number)
    }
    prompt = .link(LineEditor(String(digit)))
    return []
  }

  private func isYes(_ key: KeyEvent) -> Bool {
    key == .character("y") || key == .character("Y")
  }

  private mutating func edit(
    _ line: LineEditor, _ key: KeyEvent, _ make: (LineEditor) -> Prompt,
    finish: (inout ReaderState, String) -> [Effect]
  ) -> [Effect] {
    var line = line
    switch key {
    case .escape, .control("c"), .control("g"):
      giveUp()
    case .enter:
      prompt = nil
      forgetError()
      return finish(&self, line.text)
    case .backspace where line.isEmpty:
      giveUp()
    default:
      if line.handle(key) { prompt = make(line) }
    }
    return []
  }

  private mutating func giveUp() {
    switch prompt {
    // Nothing waits for a sign-in that does not come.
    case .signInName, .signInPassword: moveAfterSignIn = nil
    default: break
    }
    prompt = nil
    forgetError()
  }

  /// What stood above the line has been read.
  private mutating func forgetError() {
    if notice?.kind == .error { notice = nil }
  }

  // MARK: Looking for a feed

  mutating func look(for place: String? = nil, of address: String) {
    searches.removeAll { $0.address == address }
    searches.append(AddressSearch(address: address, place: place ?? address))
    isWaiting = true
  }

  /// - Returns: nil where nothing is looked for.
  mutating func cancelSearch() -> [Effect]? {
    if let search = searches.popLast() {
      lastAddress = search.address
      return [.cancel(.add(search.address))] + tell("cancelled; a brings the address back")
    }
    if let move = moveInSearch {
      moveInSearch = nil
      return [.cancel(.move(move.feed))] + tell("cancelled; e brings the address back")
    }
    return nil
  }

  /// The address comes back to be corrected, with the error above it, unless the user has begun
  /// something else meanwhile: then `a` brings it back.
  mutating func takeNotAdded(_ address: String, _ error: SourceError) -> [Effect] {
    let isWaitedFor = isWaiting && searches.last?.address == address
    searches.removeAll { $0.address == address }
    lastAddress = address
    let told = tell(error)
    guard prompt == nil else { return told }
    // One question leads to the other.
    if error.wantsSignIn {
      // A name and password in it were refused.
      lastAddress = WebAddress.withoutUser(address)
      return askToSignIn(at: WebAddress.withoutUser(address)) + told
    }
    if isWaitedFor, helpOffset == nil, choice == nil, moveInSearch == nil { bringBackAddress() }
    return told
  }

  private mutating func bringBackAddress() {
    prompt = .addFeed(LineEditor(lastAddress ?? ""))
    lastAddress = nil
  }

  private var finishAddress: (inout ReaderState, String) -> [Effect] {
    { state, text in
      var address = text.trimmingPrefix(while: \.isWhitespace)
      while address.last?.isWhitespace == true { address.removeLast() }
      guard !address.isEmpty else { return [] }
      state.look(of: String(address))
      return [.addFeed(String(address))]
    }
  }

  private var finishLink: (inout ReaderState, String) -> [Effect] {
    { state, text in
      guard let number = Int(text), number > 0, number <= state.article?.page?.linkCount ?? 0
      else { return state.tell("there is no link \(text)", .error) }
      return state.openLink(number)
    }
  }

  /// Searches while it is typed; Enter goes to what was found, Esc back to where it began.
  private mutating func editSearch(_ line: LineEditor, _ key: KeyEvent) -> [Effect] {
    var line = line
    switch key {
    case .escape, .control("c"), .control("g"):
      prompt = nil
      return [.cancel(.search)] + leaveSearch()
    case .backspace where line.isEmpty:
      prompt = nil
      return [.cancel(.search)] + leaveSearch()
    case .enter:
      prompt = nil
      focus = .list
      let words = line.text
      guard words.contains(where: { !$0.isWhitespace }) else { return [] }
      return [.cancel(.search)] + show(.search(words))
    default:
      let old = line.text
      guard line.handle(key) else { return [] }
      prompt = .search(line)
      return line.text == old ? [] : [.settleSearch(line.text)]
    }
  }

  /// Shows what is found, unless the reader has typed on or left meanwhile.
  mutating func settleSearch(_ words: String) -> [Effect] {
    guard case .search(let line) = prompt, line.text == words else { return [] }
    let isBlank = words.allSatisfy(\.isWhitespace)
    return isBlank ? leaveSearch() : show(.search(words))
  }

  private mutating func leaveSearch() -> [Effect] {
    guard case .search = list.query.timeline else { return [] }
    return show(sidebar.selected)
  }
}
