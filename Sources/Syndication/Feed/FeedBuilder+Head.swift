internal import Foundation
internal import News
internal import Text

extension FeedBuilder {
  func startHeadField(_ tag: FeedTag, _ element: XMLElement) {
    switch tag {
    case .link:
      if element.attribute("href") != nil { readHeadLink(element) }
      begin(tag, .plain)
    case .title, .dcTitle, .itunesTitle, .language, .dcLanguage, .minutesToLive,
      .updatePeriod, .updateFrequency, .description, .itunesSummary, .itunesSubtitle,
      .dcDescription, .listTotal, .author, .creator, .itunesAuthor, .managingEditor,
      .published, .dcDate, .updated, .termsModified, .lastBuilt, .dcSubject, .dcRights,
      .mediaCopyright, .logo, .icon, .newFeedURL, .keywords:
      begin(tag, .plain)
    case .rights: beginRights(tag, element)
    case .category:
      begin(tag, .plain)
      pending.scheme = element.line("domain").map(WebAddress.textWithoutUser)
    case .generator:
      // The address identifies a program better than its name (RFC 4287 §4.2.4).
      head.generator = element.line("uri") ?? element.line("url")
      begin(tag, .plain)
    case .atomTitle, .atomSubtitle: beginAtomText(tag, element)
    case .atomLink: readHeadLink(element)
    case .atomCategory: if let category = element.category { head.addCategory(category) }
    case .itunesCategory:
      if let word = element.line("text") { head.addCategory(Category(word)) }
    case .itunesImage, .mediaThumbnail, .image:
      let address = element.attribute("href") ?? element.attribute("url")
      // Some feeds write the address as text; RSS's `image` has elements.
      if address == nil, tag != .image { return begin(tag, .plain) }
      head.image.offer(webAddress(address), Precedence.feedImage[tag])
    case .historyComplete: head.isComplete = true
    case .historyArchive: head.isArchive = true
    default: break
    }
  }

  func endHeadField(_ open: PendingText.Capture) {
    switch open.tag {
    case .title, .atomTitle, .dcTitle, .itunesTitle:
      head.title.offer(pending.title(open), Precedence.feedTitle[open.tag])
    case .description, .atomSubtitle, .itunesSummary, .itunesSubtitle, .dcDescription:
      if open.isBase64 { pending.decodeBase64() }
      if !open.isPlainText { pending.unescapeTwice() }
      let isText = open.isPlainText || open.tag == .atomSubtitle && open.style == .plain
      head.description.offer(
        isText ? pending.plainLine(open) : pending.stripped(), Precedence.feedDescription[open.tag])
    case .link: head.link.offer(webAddress(base: open.base), Precedence.feedLink[.link])
    case .language, .dcLanguage:
      head.language.offer(LanguageTag.normalized(pending.line()), Precedence.feedLanguage[open.tag])
    case .minutesToLive: head.setMinutesToLive(pending.number())
    case .skippedHour: if let hour = pending.number() { head.skips.add(hour: hour) }
    case .skippedDay: if let day = pending.line() { head.skips.add(day: day) }
    case .updatePeriod: head.setPeriod(pending.line())
    case .updateFrequency: head.frequency = pending.number()
    case .author, .managingEditor, .creator, .itunesAuthor:
      for author in pending.titleTexts().flatMap(PersonText.authors) {
        head.authors.offer(author, Precedence.feedAuthors[open.tag])
      }
    case .published, .dcDate, .updated, .termsModified, .lastBuilt:
      head.updated.offer(date(open), Precedence.feedUpdated[open.tag])
    case .category, .dcSubject:
      for word in pending.titleTexts() { head.addCategory(Category(word, scheme: pending.scheme)) }
    case .keywords: head.addKeywords(pending.titleText())
    case .rights, .dcRights, .mediaCopyright:
      head.rights.offer(pending.typedText(open), Precedence.feedRights[open.tag])
    case .url, .logo, .itunesImage, .mediaThumbnail:
      let tag = open.tag == .url ? .image : open.tag
      head.image.offer(webAddress(base: open.base), Precedence.feedImage[tag])
    case .icon: head.icon = head.icon ?? webAddress(base: open.base)
    case .newFeedURL:
      head.movedTo = head.movedTo ?? documentAddress(pending.line().map(AddressText.mended))
    case .generator: head.generator = head.generator ?? pending.line()
    case .listTotal: head.listTotal = pending.number() ?? head.listTotal
    default: break
    }
  }

  /// RFC 4287 §4.2.7, RFC 5005 §3 and §4.
  private func readHeadLink(_ element: XMLElement) {
    guard let href = element.attribute("href") else {
      // RSS's element in a document with Atom's default namespace.
      return element.relation == "alternate" ? begin(.link, .plain) : ()
    }
    switch element.relation {
    case "alternate":
      // A link to another type, such as JSON Feed, is used if there is no page.
      let isPage = element.attribute("type").map { $0.lowercased().contains("html") } ?? true
      head.link.offer(
        webAddress(href), isPage ? Precedence.feedLink[.atomLink] : Precedence.weakest)
    case "self": head.feedURL = head.feedURL ?? documentAddress(href)
    case "next": head.nextURL = head.nextURL ?? documentAddress(href)
    case "prev-archive": head.archiveURL = head.archiveURL ?? documentAddress(href)
    default: break
    }
  }
}
