internal import Foundation
internal import News

/// The fields of an entry.
extension FeedBuilder {
  func startEntryField(_ tag: FeedTag, _ element: XMLElement) {
    switch tag {
    case .title, .dcTitle, .mediaTitle, .itunesTitle, .author, .creator, .itunesAuthor, .published,
      .dcDate, .termsIssued, .termsCreated, .updated, .termsModified,
      .identifier, .dcIdentifier, .dcSubject, .keywords, .dcLanguage, .comments, .commentFeed,
      .commentCount, .threadCount, .rights, .dcRights, .mediaCopyright, .dcSource, .duration,
      .originalLink:
      begin(tag, .plain)
    case .guid:
      begin(tag, .plain)
      pending.capture?.isPermalink = isTrue(element.attribute("isPermaLink"))
    case .link:
      // Atom's way of writing it, at times without Atom's namespace.
      if element.attribute("href") != nil { readEntryLink(element) }
      begin(tag, .plain)
    case .category, .mediaCategory:
      if element.attribute("term") != nil, let category = category(element) {
        draft.addCategory(category)
      }
      begin(tag, .plain)
      pending.capture?.scheme = line(element.attribute("domain") ?? element.attribute("scheme"))
      pending.capture?.label = line(element.attribute("label"))
    case .source:
      begin(tag, .plain)
      pending.capture?.url = webAddress(element.attribute("url"))
    case .mediaCredit:
      guard isAuthor(role: element.attribute("role")) else { return }
      begin(tag, .plain)
    case .description, .encoded, .itunesSummary, .itunesSubtitle, .dcDescription:
      begin(tag, .html)
    case .mediaDescription:
      // Media RSS, "media:description": plain unless it says otherwise.
      begin(tag, .html)
      pending.capture?.isPlainText = element.attribute("type")?.lowercased() != "html"
      pending.capture?.isUntyped = element.attribute("type") == nil
    case .xhtmlBody: begin(tag, .xhtml)
    case .atomTitle, .atomSummary: beginAtomText(tag, element)
    case .atomContent: readContent(element)
    case .atomLink: readEntryLink(element)
    case .atomCategory:
      guard let category = category(element) else { return begin(.category, .plain) }
      draft.addCategory(category)
    case .itunesCategory:
      if let word = line(element.attribute("text")) { draft.addCategory(Category(word)) }
    case .enclosure: addEnclosure(element, length: element.attribute("length"))
    case .mediaContent: addEnclosure(element, length: element.attribute("fileSize"))
    case .chapters: addEnclosure(element, length: nil, role: .chapters)
    case .transcript: addEnclosure(element, length: nil, role: .transcript)
    case .mediaThumbnail, .itunesImage, .image: readImage(tag, element)
    default: break
    }
  }

  func endEntryField(_ open: PendingText.Capture) {
    switch open.tag {
    case .title, .atomTitle, .dcTitle, .mediaTitle, .itunesTitle:
      draft.fields.title.offer(title(open), Precedence.title[open.tag])
    case .link: offerLink(webAddress(base: open.base))
    case .originalLink:
      draft.fields.url.offer(webAddress(base: open.base), Precedence.url[.originalLink])
    case .guid:
      guard let id = line() else { return }
      draft.fields.id.offer(id, Precedence.id[.guid])
      if open.isPermalink, WebAddress.isWeb(id) {
        draft.fields.url.offer(WebAddress.resolve(id, against: nil), Precedence.url[.guid])
      }
    case .identifier, .dcIdentifier: draft.fields.id.offer(line(), Precedence.id[open.tag])
    case .author, .creator, .itunesAuthor, .mediaCredit:
      draft.fields.authors.offer(
        titleText().flatMap(Mailbox.author), Precedence.authors[open.tag])
    case .published, .dcDate, .termsIssued, .termsCreated:
      guard draft.fields.published.takes(Precedence.published[open.tag]) else { return }
      draft.fields.published.offer(date(open), Precedence.published[open.tag])
    case .updated, .termsModified:
      draft.fields.updated.offer(date(open), Precedence.updated[open.tag])
    case .category, .mediaCategory, .dcSubject:
      if let word = titleText() {
        let label = open.label == word ? nil : open.label
        draft.addCategory(Category(word, label: label, scheme: open.scheme))
      }
    case .keywords:
      draft.fields.keywords += (titleText() ?? "").split(separator: ",").prefix(256)
        .compactMap { line(String($0)) }
    case .dcLanguage: draft.fields.language.offer(line(), Precedence.language[.dcLanguage])
    case .description, .atomSummary, .itunesSummary, .itunesSubtitle, .dcDescription,
      .mediaDescription:
      let isKept = keep(open, as: &draft.lead, Precedence.summary[open.tag])
      if isKept { draft.fields.leadIsBody = open.tag != .atomSummary }
    case .encoded, .atomContent, .xhtmlBody:
      _ = keep(open, as: &draft.content, Precedence.content[open.tag])
    case .comments:
      draft.fields.commentsPage.offer(
        webAddress(base: open.base), Precedence.commentsPage[.comments])
    case .commentFeed:
      draft.fields.commentsFeed.offer(
        webAddress(base: open.base), Precedence.commentsFeed[.commentFeed])
    case .commentCount, .threadCount:
      draft.fields.commentsCount.offer(number(), Precedence.commentsCount[open.tag])
    case .source:
      let source = EntrySource(title: titleText(), feedURL: open.url)
      draft.fields.source.offer(source.isEmpty ? nil : source, Precedence.source[.source])
    case .dcSource: readSource(open)
    case .rights, .dcRights, .mediaCopyright:
      draft.fields.rights.offer(titleText(), Precedence.rights[open.tag])
    case .duration:
      draft.fields.duration = draft.fields.duration ?? line().flatMap(PlayingTime.seconds)
    case .mediaThumbnail, .itunesImage:
      draft.fields.image.offer(webAddress(base: open.base), Precedence.image[open.tag])
    case .url:
      draft.fields.image.offer(webAddress(base: open.base), Precedence.image[.image])
    default: break
    }
  }

  /// Keeps a text that says something, if its word is stronger than that of the one before. The
  /// buffers change places, so that nothing is copied.
  private func keep(
    _ open: PendingText.Capture, as body: inout EntryDraft.Body, _ rank: UInt8
  ) -> Bool {
    guard rank < body.rank else { return false }
    if open.isBase64 { pending.decodeBase64() }
    var open = open
    pending.bytes.withUnsafeBufferPointer { bytes in
      // HTML without a word of it.
      if open.tag == .mediaDescription, open.isUntyped, BodyText.closesTag(bytes) {
        open.isPlainText = false
      }
    }
    if !open.isPlainText { pending.unescapeTwice() }
    let isBlank = pending.bytes.withUnsafeBufferPointer { $0.trimmed(0..<$0.count).isEmpty }
    guard !isBlank else { return false }
    swap(&body.bytes, &pending.bytes)
    body.kind = open.isPlainText ? .text : .html
    body.base = effectiveBase(open.base)
    body.rank = rank
    return true
  }

  /// RFC 4287 §4.1.3.2: a content that lies elsewhere is the article's page, or a file.
  private func readContent(_ element: XMLElement) {
    guard let src = element.attribute("src") else { return beginAtomText(.atomContent, element) }
    let type = element.attribute("type")?.lowercased() ?? "text/html"
    if type.contains("html") {
      offerLink(webAddress(src))
    } else {
      addEnclosure(element, href: src, length: nil)
    }
  }

  private func readSource(_ open: PendingText.Capture) {
    guard let text = line() else { return }
    let source =
      WebAddress.isWeb(text)
      ? EntrySource(url: webAddress(base: open.base)) : EntrySource(title: text)
    draft.fields.source.offer(source, Precedence.source[.dcSource])
  }

  // MARK: Links

  private func offerLink(_ url: String?, isHTML: Bool = true) {
    guard let url else { return }
    if isHTML, !draft.fields.urlIsHTML, draft.fields.url.value != nil {
      // A link to HTML is better than one to something else that stood before it.
      draft.fields.url.replace(url, Precedence.url[.link])
    } else {
      draft.fields.url.offer(url, Precedence.url[.link])
    }
    draft.fields.urlIsHTML = draft.fields.urlIsHTML || isHTML
  }

  /// RFC 4287 §4.2.7, RFC 4685 §4.
  private func readEntryLink(_ element: XMLElement) {
    guard let href = element.attribute("href") else { return begin(.link, .plain) }
    let type = element.attribute("type")?.lowercased()
    switch relation(of: element) {
    case "enclosure":
      addEnclosure(element, href: href, length: element.attribute("length"))
    case "alternate": offerLink(webAddress(href), isHTML: type?.contains("html") ?? true)
    case "replies":
      let url = webAddress(href)
      if let type, type.contains("xml"), !type.contains("html") {
        draft.fields.commentsFeed.offer(url, Precedence.commentsFeed[.atomLink])
      } else {
        draft.fields.commentsPage.offer(url, Precedence.commentsPage[.atomLink])
      }
      let count = element.attribute("count", prefix: "thr").flatMap { Int($0) }
      draft.fields.commentsCount.offer(
        count.flatMap { $0 >= 0 ? $0 : nil }, Precedence.commentsCount[.atomLink])
    default: break
    }
  }

  private func addEnclosure(
    _ element: XMLElement, href: String? = nil, length: String?, role: Enclosure.Role = .media
  ) {
    let address =
      href ?? element.attribute("url") ?? element.attribute("href")
      ?? element.attribute("resource", prefix: "rdf")
    guard let url = webAddress(address) else { return }
    let length = length ?? element.attribute("length", prefix: "enc")
    let bytes = length.flatMap { Int64(PlainText.sanitized($0).filter { $0 != "," }) }
    let type =
      line(element.attribute("type") ?? element.attribute("type", prefix: "enc"))
      ?? element.attribute("medium").flatMap(Self.type)
    draft.addEnclosure(
      Enclosure(
        url: url, type: type, length: bytes.flatMap { $0 > 0 ? $0 : nil },
        title: line(element.attribute("title")),
        duration: line(element.attribute("duration")).flatMap(PlayingTime.seconds), role: role))
  }

  private func isTrue(_ value: String?) -> Bool {
    !["false", "0", "no"].contains(line(value)?.lowercased())
  }

  /// Media RSS, "media:credit": not all who took part in a film wrote it.
  private func isAuthor(role: String?) -> Bool {
    guard let role = line(role)?.lowercased() else { return true }
    return [
      "artist", "author", "composer", "creator", "owner", "photographer", "reporter", "uploader",
      "writer",
    ].contains(role)
  }

  /// What Media RSS calls a file where it gives no media type.
  private static func type(ofMedium medium: String) -> String? {
    ["image", "audio", "video"].contains(medium) ? medium + "/*" : nil
  }

  private func readImage(_ tag: FeedTag, _ element: XMLElement) {
    guard let address = element.attribute("url") ?? element.attribute("href") else {
      // Some write it as text.
      return tag == .image ? () : begin(tag, .plain)
    }
    guard let url = webAddress(address) else { return }
    let width = element.attribute("width").flatMap { Int($0) } ?? 0
    if tag == .mediaThumbnail, width > draft.fields.imageWidth {
      draft.fields.image.replace(url, Precedence.image[tag])
      draft.fields.imageWidth = width
    } else {
      draft.fields.image.offer(url, Precedence.image[tag])
    }
  }

  // MARK: The feed it was taken from

  func startSourceField(_ tag: FeedTag, _ element: XMLElement) {
    switch tag {
    case .atomTitle: beginAtomText(tag, element)
    case .atomLink:
      guard let url = webAddress(element.attribute("href")) else { return }
      switch relation(of: element) {
      case "alternate" where source?.url == nil: source?.url = url
      case "self" where source?.feedURL == nil: source?.feedURL = url
      default: break
      }
    default: break
    }
  }

  func endSourceField(_ open: PendingText.Capture) {
    if open.tag == .atomTitle, source?.title == nil { source?.title = title(open) }
  }
}

/// How long a file plays: seconds, or hours, minutes and seconds with colons.
enum PlayingTime {
  static func seconds(_ text: String) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count) else { return nil }
    var total = 0
    for (place, part) in parts.enumerated() {
      // A fraction of the last second does not matter.
      let whole = place == parts.count - 1 ? part.prefix { $0 != "." } : part
      guard let number = Int(whole), (0..<1_000_000).contains(number) else { return nil }
      total = total * 60 + number
    }
    return total > 0 ? total : nil
  }
}
