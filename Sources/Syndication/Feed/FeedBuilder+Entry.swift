internal import Foundation
internal import News
internal import Text

extension FeedBuilder {
  func startEntryField(_ tag: FeedTag, _ element: XMLElement) {
    switch tag {
    case .title, .dcTitle, .mediaTitle, .itunesTitle, .author, .creator, .itunesAuthor, .published,
      .dcDate, .termsIssued, .termsCreated, .updated, .termsModified,
      .identifier, .dcIdentifier, .dcSubject, .keywords, .dcLanguage, .comments, .commentFeed,
      .commentCount, .threadCount, .dcRights, .mediaCopyright, .dcSource, .duration,
      .originalLink, .originalEnclosure:
      begin(tag, .plain)
    case .rights: beginRights(tag, element)
    case .guid:
      begin(tag, .plain)
      guard let isPermalink = element.attribute("isPermaLink") else {
        pending.capture?.isPermalink = true
        return
      }
      let isSaid = !["false", "0", "no"].contains(PlainText.sanitized(isPermalink).lowercased())
      pending.capture?.isPermalink = isSaid
      pending.capture?.isSaidToBePermalink = isSaid
    case .link:
      // Atom's form, at times without Atom's namespace.
      if element.attribute("href") != nil { readEntryLink(element) }
      begin(tag, .plain)
    case .category, .mediaCategory:
      if element.attribute("term") != nil, let category = element.category {
        draft.addCategory(category)
      }
      begin(tag, .plain)
      let scheme = element.attribute("domain") ?? element.attribute("scheme")
      pending.scheme = PlainText.line(scheme).map(WebAddress.textWithoutUser)
      pending.label = element.line("label")
    case .source:
      begin(tag, .plain)
      pending.url = webAddress(element.attribute("url"))
    case .mediaCredit:
      if element.isAuthor { begin(tag, .plain) }
    case .description, .encoded, .itunesSummary, .itunesSubtitle, .dcDescription, .fullText:
      begin(tag, .html)
    case .mediaDescription: beginMediaDescription(tag, element)
    case .xhtmlBody: begin(tag, .xhtml)
    case .atomTitle, .atomSummary: beginAtomText(tag, element)
    case .atomContent: readContent(element)
    case .atomLink: readEntryLink(element)
    case .atomCategory:
      guard let category = element.category else { return begin(.category, .plain) }
      draft.addCategory(category)
    case .itunesCategory:
      if let word = element.line("text") { draft.addCategory(Category(word)) }
    case .enclosure:
      if !addEnclosure(element, length: element.attribute("length")) { begin(tag, .plain) }
    case .mediaContent, .picture: addEnclosure(element, length: element.attribute("fileSize"))
    case .chapters: addEnclosure(element, length: nil, role: .chapters)
    case .transcript: addEnclosure(element, length: nil, role: .transcript)
    case .inReplyTo:
      draft.fields.inReplyTo =
        draft.fields.inReplyTo ?? element.line("ref") ?? webAddress(element.attribute("href"))
    case .mediaThumbnail, .itunesImage, .image: readImage(tag, element)
    default: break
    }
  }

  /// A picture's own fields are not the entry's, but its text may be all there is.
  func startPictureField(_ tag: FeedTag, _ element: XMLElement) {
    switch tag {
    case .mediaThumbnail: readImage(tag, element)
    case .mediaDescription: beginMediaDescription(.pictureDescription, element)
    default: break
    }
  }

  /// Plain text by default (Media RSS, "media:description").
  private func beginMediaDescription(_ tag: FeedTag, _ element: XMLElement) {
    begin(tag, .html)
    pending.capture?.isPlainText = element.attribute("type")?.lowercased() != "html"
    pending.capture?.isUntyped = element.attribute("type") == nil
  }

  func endEntryField(_ open: PendingText.Capture) {
    switch open.tag {
    case .title, .atomTitle, .dcTitle, .mediaTitle, .itunesTitle:
      draft.fields.title.offer(pending.title(open), Precedence.title[open.tag])
    case .link: offerLink(webAddress(base: open.base))
    case .originalLink:
      draft.fields.url.offer(webAddress(base: open.base), Precedence.url[.originalLink])
    case .originalEnclosure:
      draft.fields.originalEnclosure =
        draft.fields.originalEnclosure ?? webAddress(base: open.base)
    case .guid:
      guard let id = pending.line() else { return }
      draft.fields.id.offer(id, Precedence.id[.guid])
      if open.isPermalink, WebAddress.isWeb(id) {
        let url = WebAddress.plain(id) ?? WebAddress.resolve(id, against: nil)
        draft.fields.url.offer(url, Precedence.url[.guid])
        draft.fields.permalink = draft.fields.permalink ?? url
      } else if open.isSaidToBePermalink, AddressText.isPath(id) {
        draft.fields.url.offer(webAddress(base: open.base), Precedence.weakest)
      }
    case .identifier, .dcIdentifier:
      let id = pending.line()
      draft.fields.id.offer(id, Precedence.id[open.tag])
      // An id that is an address is the last resort for the article's page.
      if open.tag == .identifier, let id, WebAddress.isWeb(id) {
        draft.fields.url.offer(WebAddress.resolve(id, against: nil), Precedence.url[.identifier])
      }
    case .author, .creator, .itunesAuthor:
      for author in pending.titleTexts().flatMap(PersonText.authors) {
        draft.fields.authors.offer(author, Precedence.authors[open.tag])
      }
    case .mediaCredit:
      // Some feeds have the picture of a person there.
      guard let name = pending.titleText(), !WebAddress.isWeb(name) else { return }
      draft.fields.authors.offer(PersonText.author(name), Precedence.authors[open.tag])
    case .published, .dcDate, .termsIssued, .termsCreated:
      guard draft.fields.published.accepts(Precedence.published[open.tag]) else { return }
      draft.fields.published.offer(date(open), Precedence.published[open.tag])
    case .updated, .termsModified:
      draft.fields.updated.offer(date(open), Precedence.updated[open.tag])
    case .category, .mediaCategory, .dcSubject:
      for word in pending.titleTexts() {
        let label = pending.label == word ? nil : pending.label
        draft.addCategory(Category(word, label: label, scheme: pending.scheme))
      }
    case .keywords:
      draft.fields.keywords += Keywords.list(pending.titleText())
    case .dcLanguage:
      draft.fields.language.offer(
        LanguageTag.normalized(pending.line()), Precedence.language[.dcLanguage])
    case .description, .atomSummary, .itunesSummary, .itunesSubtitle, .dcDescription,
      .mediaDescription, .pictureDescription:
      if open.tag == .pictureDescription, let picture = draft.fields.enclosures.last?.url {
        draft.pictureTexts[picture] = pending.titleText()
      }
      keepLead(open)
    case .encoded, .atomContent, .xhtmlBody, .fullText:
      let rank = Precedence.content[open.tag]
      // HTML is preferred to plain text of the same rank.
      if !open.isPlainText, draft.content.kind == .text, draft.content.rank == rank {
        draft.content.rank = Precedence.weakest
      }
      _ = pending.move(open, to: &draft.content, rank, base: effectiveBase(open.base))
    case .comments: readComments(open)
    case .enclosure: readWrittenEnclosure()
    case .commentFeed:
      draft.fields.commentsFeed.offer(
        webAddress(base: open.base), Precedence.commentsFeed[.commentFeed])
    case .commentCount, .threadCount:
      draft.fields.commentsCount.offer(pending.number(), Precedence.commentsCount[open.tag])
    case .source:
      let source = EntrySource(title: pending.titleText(), feedURL: pending.url)
      draft.fields.source.offer(source.isEmpty ? nil : source, Precedence.source[.source])
    case .dcSource: readSource(open)
    case .rights, .dcRights, .mediaCopyright:
      draft.fields.rights.offer(pending.typedText(open), Precedence.rights[open.tag])
    case .duration:
      draft.fields.duration =
        draft.fields.duration ?? pending.line().flatMap(EpisodeDuration.seconds)
    case .mediaThumbnail, .itunesImage, .url:
      let tag = open.tag == .url ? .image : open.tag
      draft.fields.image.offer(webAddress(base: open.base), Precedence.image[tag])
    default: break
    }
  }

  /// Keeps the strongest text that may be a summary, and the longest of the others.
  private func keepLead(_ open: PendingText.Capture) {
    let rank = Precedence.summary[open.tag]
    let base = effectiveBase(open.base)
    guard draft.lead.kind != .none else {
      if pending.move(open, to: &draft.lead, rank, base: base) {
        draft.fields.leadIsBody = open.tag != .atomSummary
      }
      return
    }
    var other = EntryDraft.Body()
    guard pending.move(open, to: &other, rank, base: base) else { return }
    if other.rank < draft.lead.rank {
      swap(&other, &draft.lead)
      draft.fields.leadIsBody = open.tag != .atomSummary
    }
    if other.rank < Precedence.summary[.itunesSubtitle],
      other.bytes.count > draft.fuller.bytes.count
    {
      draft.fuller = other
    }
  }

  /// `src` is the page of the article, or a file (RFC 4287 §4.1.3.2).
  private func readContent(_ element: XMLElement) {
    guard let src = element.attribute("src") else { return beginAtomText(.atomContent, element) }
    let type = element.attribute("type")?.lowercased() ?? "text/html"
    if type.contains("html") {
      // The entry's link takes precedence.
      if let url = webAddress(src) { draft.fields.url.replace(url, Precedence.url[.guid]) }
    } else {
      addEnclosure(element, href: src, length: nil)
    }
  }

  private func readSource(_ open: PendingText.Capture) {
    guard let text = pending.line() else { return }
    let source =
      WebAddress.isWeb(text)
      ? EntrySource(url: webAddress(base: open.base)) : EntrySource(title: text)
    draft.fields.source.offer(source, Precedence.source[.dcSource])
  }

  /// Usually the page of comments; some feeds write their number or text.
  private func readComments(_ open: PendingText.Capture) {
    guard let text = pending.line(), !text.contains(byte: 0x3C),
      WebAddress.isWeb(text) || !text.contains(byte: 0x20)
    else { return }
    if text.utf8.allSatisfy(\.isASCIIDigit) {
      draft.fields.commentsCount.offer(pending.number(), Precedence.weakest)
    } else {
      draft.fields.commentsPage.offer(
        webAddress(base: open.base), Precedence.commentsPage[.comments])
    }
  }

  /// The address as text, before its length and type.
  private func readWrittenEnclosure() {
    guard let words = pending.line()?.split(separator: " "),
      let word = words.first.map(String.init), WebAddress.isWeb(word), let url = webAddress(word)
    else { return }
    let type = words.dropFirst().first { $0.contains("/") }.map(String.init)
    draft.addEnclosure(Enclosure(url: url, type: FileKind.type(type, of: url)))
  }

  // MARK: Links

  private func offerLink(_ url: String?, isHTML: Bool = true) {
    guard let url else { return }
    if isHTML, !draft.fields.urlIsHTML, draft.fields.url.value != nil {
      // A link to HTML replaces an earlier one to another type.
      draft.fields.url.replace(url, Precedence.url[.link])
    } else {
      draft.fields.url.offer(url, Precedence.url[.link])
    }
    draft.fields.urlIsHTML = draft.fields.urlIsHTML || isHTML
  }

  /// RFC 4287 §4.2.7, RFC 4685 §4.
  private func readEntryLink(_ element: XMLElement) {
    let relation = element.relation
    guard let href = element.attribute("href") else {
      // Some feeds write the address as text.
      switch relation {
      case "alternate": return begin(.link, .plain)
      case "enclosure": return begin(.enclosure, .plain)
      default: return
      }
    }
    let type = element.attribute("type")?.lowercased()
    switch relation {
    case "enclosure":
      addEnclosure(element, href: href, length: element.attribute("length"))
    case "alternate":
      let isPage = type?.contains("html") ?? true
      offerLink(webAddress(href), isHTML: isPage && isInLanguage(element))
    case "canonical": draft.fields.url.offer(webAddress(href), Precedence.url[.guid])
    // Used for an entry without a page of its own.
    case "related", "via": draft.fields.url.offer(webAddress(href), Precedence.weakest)
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

  /// Whether `hreflang` is absent or the entry's language (RFC 4287 §4.2.7.4).
  private func isInLanguage(_ link: XMLElement) -> Bool {
    guard let language = draft.fields.language.value ?? head.language.value,
      let other = LanguageTag.normalized(link.line("hreflang"))
    else { return true }
    return language.lowercased().prefix { $0 != "-" } == other.lowercased().prefix { $0 != "-" }
  }

  /// Returns whether an attribute has the address of a file.
  @discardableResult
  private func addEnclosure(
    _ element: XMLElement, href: String? = nil, length: String?, role: Enclosure.Role = .media
  ) -> Bool {
    let address =
      href ?? element.attribute("url") ?? element.attribute("href")
      ?? element.attribute("resource", prefix: "rdf") ?? element.attribute("resource")
    guard let address else { return false }
    // Some blogs put the picture of the author beside each article.
    guard let url = webAddress(address), !url.contains("gravatar.com/avatar/") else { return true }
    let length = length ?? element.attribute("length", prefix: "enc")
    let bytes = length.flatMap { Int64(PlainText.sanitized($0).filter { $0 != "," }) }
    let type = FileKind.type(
      PlainText.line(element.attribute("type") ?? element.attribute("type", prefix: "enc")),
      medium: element.attribute("medium"), of: url)
    if role == .media, type?.hasPrefix("image/") == true {
      draft.addPicture(url, width: element.width)
    }
    draft.addEnclosure(
      Enclosure(
        url: url, type: type, length: bytes.flatMap { $0 > 0 ? $0 : nil },
        title: element.line("title"),
        duration: element.line("duration").flatMap(EpisodeDuration.seconds), role: role))
    return true
  }

  private func readImage(_ tag: FeedTag, _ element: XMLElement) {
    guard let address = element.attribute("url") ?? element.attribute("href") else {
      // Some feeds write the address as text; RSS's `image` has elements.
      return tag == .image ? () : begin(tag, .plain)
    }
    guard let url = webAddress(address) else { return }
    let width = element.width
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
      switch element.relation {
      case "alternate" where source?.url == nil: source?.url = url
      case "self" where source?.feedURL == nil: source?.feedURL = url
      default: break
      }
    default: break
    }
  }
}
