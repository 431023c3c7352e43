package import News
internal import Text

/// Addresses of feeds on known sites, derived from those of their pages. Pure.
package enum SiteFeeds {
  /// Feeds of a page on a known site, best first; none if the page itself has to tell.
  package static func feeds(ofPage address: String) -> [FeedLink] {
    guard let page = SitePage(address), !isFeed(page) else { return [] }
    for rule in rules {
      if let feeds = rule(page) { return feeds }
    }
    return []
  }

  /// The page behind YouTube's cookie consent, to which it redirects users in the European Union.
  package static func pageBehindConsent(at address: String) -> String? {
    let hosts = ["consent.youtube.com", "consent.google.com"]
    guard let page = SitePage(address), hosts.contains(page.host),
      let target = page.parameter("continue").map(percentDecoded),
      let behind = SitePage(target), behind.isAt("youtube.com"), !hosts.contains(behind.host)
    else { return nil }
    return try? WebAddress.normalized(target)
  }

  /// The cookie that refuses consent.
  package static func refusalOfConsent(at address: String) -> String? {
    SitePage(address)?.isAt("youtube.com") == true ? "SOCS=CAI" : nil
  }

  /// Feeds by the form of an address on any host: Mastodon, Forgejo, Lemmy, PeerTube.
  package static func guesses(forPage address: String) -> [FeedLink] {
    guard let page = SitePage(address), !isFeed(page), let first = page[0] else { return [] }
    if first.hasPrefix("@") { return feedsOfProfile(first, page) }
    if page.segments.count == 2, first == "users" || first == "tags" {
      return [rss(page.origin + page.path() + ".rss")]
    }
    if page.host.hasPrefix("git.") || page.host.hasPrefix("forge.") { return forgejo(page) ?? [] }
    guard let name = page[1] else { return [] }
    let videos = page.origin + "/feeds/videos.xml?"
    switch first {
    // Lemmy's communities and PeerTube's channels have the same form.
    case "c":
      return [
        rss("\(page.origin)/feeds/c/\(name).xml?sort=New"),
        rss(videos + "videoChannelName=" + name),
      ]
    case "u": return [rss("\(page.origin)/feeds/u/\(name).xml?sort=New")]
    case "a": return [rss(videos + "accountName=" + name)]
    default: return []
    }
  }

  /// Mastodon's profiles, posts and tags.
  private static func feedsOfProfile(_ name: String, _ page: SitePage) -> [FeedLink] {
    let parts = name.dropFirst().split(separator: "@")
    guard !parts.isEmpty else { return [] }
    if page.segments.count == 3, page[1] == "tagged" {
      return [rss(page.origin + page.path() + ".rss")]
    }
    let isPost = page.segments.count == 2 && page[1]?.utf8.allSatisfy(\.isASCIIDigit) == true
    guard isPost || page.segments.count == 1 else { return [] }
    // `@ada@example.org` has its feed at its own server.
    if parts.count == 2 { return [rss("https://\(parts[1])/@\(parts[0]).rss")] }
    return [rss(page.origin + page.path(1) + ".rss")]
  }

  /// Feeds that the page of a known site contains: YouTube's channel.
  package static func feeds(in html: [UInt8], ofPage address: String) -> [FeedLink] {
    guard let page = SitePage(address), page.isAt("youtube.com") else { return [] }
    return html.withUnsafeBufferPointer { bytes in
      // A page with videos contains many channels; its own comes first.
      channelMarks.lazy.compactMap { channel(after: $0, in: bytes) }.first
        .map { [youTube("channel_id", $0)] } ?? []
    }
  }

  private static let channelMarks: [StaticString] = [
    "\"externalid\":\"", "itemprop=\"channelid\" content=\"", "itemprop=\"identifier\" content=\"",
    "rel=\"canonical\" href=\"https://www.youtube.com/channel/", "\"channelid\":\"",
  ]

  /// An id is `UC` and 22 letters of base64url.
  private static func channel(after mark: StaticString, in bytes: ByteBuffer) -> String? {
    let first = mark.utf8Start[0]
    let capital = first.isASCIILetter ? first & 0xDF : first
    // Reads each byte once for either case of the letter.
    var next = bytes.firstIndex(of: first, from: 0)
    var nextCapital = capital == first ? nil : bytes.firstIndex(of: capital, from: 0)
    while let index = [next, nextCapital].compactMap(\.self).min() {
      if index == next {
        next = bytes.firstIndex(of: first, from: index + 1)
      } else {
        nextCapital = bytes.firstIndex(of: capital, from: index + 1)
      }
      guard bytes.hasWord(mark, at: index) else { continue }
      let start = index + mark.utf8CodeUnitCount
      var end = start
      while end < bytes.count, isIDByte(bytes[end]) { end += 1 }
      let id = bytes.string(start..<end)
      if isChannel(id) { return id }
    }
    return nil
  }

  private static func isIDByte(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte.isASCIIDigit || byte == 0x2D || byte == 0x5F
  }
}

// MARK: - Rules

/// Rules return nil for other hosts, and no feeds for pages without any.
private let rules: [@Sendable (SitePage) -> [FeedLink]?] = [
  youTube, reddit, gitHub, gitLab, codeberg, stackExchange, tumblr, medium, substack, blogger,
  wordPress, lemmy, vimeo, arXiv, smallSites,
]

private func rss(_ url: String, _ title: String? = nil) -> FeedLink {
  FeedLink(url: url, title: title, type: "application/rss+xml")
}

private func atom(_ url: String, _ title: String? = nil) -> FeedLink {
  FeedLink(url: url, title: title, type: "application/atom+xml")
}

private func isFeed(_ page: SitePage) -> Bool {
  guard let last = page.segments.last?.lowercased() else { return false }
  return [".rss", ".atom", ".xml", ".json", ".rdf"].contains { last.hasSuffix($0) }
    || ["feed", "rss", "atom"].contains(last) || page[0] == "feeds" || page[0] == "feed"
    || ["rss", "atom"].contains(page.parameter("format"))
    || page.parameter("feed_token") != nil
}

private func youTube(_ page: SitePage) -> [FeedLink]? {
  guard page.isAt("youtube.com") || page.host == "youtu.be" else { return nil }
  if let list = page.parameter("list"), list.hasPrefix("PL") || page[0] == "playlist" {
    return [youTube("playlist_id", list, "Playlist")]
  }
  switch (page[0], page[1]) {
  case ("channel", let id?) where isChannel(id): return [youTube("channel_id", id)]
  case ("user", let name?): return [youTube("user", name)]
  // Only the page knows the channel of a handle or video.
  default: return []
  }
}

private func youTube(_ kind: String, _ id: String, _ title: String? = nil) -> FeedLink {
  atom("https://www.youtube.com/feeds/videos.xml?\(kind)=\(id)", title)
}

private func isChannel(_ id: String) -> Bool { id.hasPrefix("UC") && id.utf8.count == 24 }

private func reddit(_ page: SitePage) -> [FeedLink]? {
  guard page.isAt("reddit.com") else { return nil }
  let site = "https://www.reddit.com"
  switch (page[0], page[1]) {
  case (nil, _): return [atom(site + "/.rss")]
  case ("u", let name?), ("user", let name?):
    if page[2] == "m", let multi = page[3] { return [atom("\(site)/user/\(name)/m/\(multi)/.rss")] }
    return [atom("\(site)/user/\(name)/.rss")]
  case ("r", let name?):
    if page[2] == "comments", let thread = page[3] {
      return [
        atom("\(site)/r/\(name)/comments/\(thread)/.rss", "Comments"),
        atom("\(site)/r/\(name)/.rss", "r/\(name)"),
      ]
    }
    if let order = page[2], ["new", "top", "hot", "rising", "controversial"].contains(order) {
      let span = page.parameter("t").map { "?t=\($0)" } ?? ""
      return [atom("\(site)/r/\(name)/\(order)/.rss\(span)")]
    }
    return [atom("\(site)/r/\(name)/.rss")]
  case ("domain", let name?): return [atom("\(site)/domain/\(name)/.rss")]
  default: return []
  }
}

private func gitHub(_ page: SitePage) -> [FeedLink]? {
  if page.host == "gist.github.com" {
    guard let user = page[0], page[0] != "discover", page.segments.count == 1 else { return [] }
    return [atom("https://gist.github.com/\(user).atom")]
  }
  guard page.host == "github.com" else { return nil }
  guard let owner = page[0] == "orgs" ? page[1] : page[0], !gitHubPages.contains(page[0] ?? "")
  else { return [] }
  if page[0] == "orgs" || page.segments.count == 1 {
    return [atom("https://github.com/\(owner).atom")]
  }
  guard let name = page[1] else { return [] }
  let base =
    "https://github.com/\(owner)/\(name.hasSuffix(".git") ? String(name.dropLast(4)) : name)"
  let rest = page.segments.dropFirst(3).joined(separator: "/")
  switch (page[2], rest.isEmpty) {
  case ("tags", _): return [atom(base + "/tags.atom", "Tags")]
  case ("releases", _): return [atom(base + "/releases.atom", "Releases")]
  case ("wiki", _): return [atom(base + "/wiki.atom", "Wiki")]
  case ("discussions", _): return [atom(base + "/discussions.atom", "Discussions")]
  case ("commits", false), ("tree", false), ("blob", false):
    return [atom("\(base)/commits/\(rest).atom", "Commits")]
  case ("commits", true): return [atom(base + "/commits.atom", "Commits")]
  default:
    return [
      atom(base + "/releases.atom", "Releases"), atom(base + "/commits.atom", "Commits"),
      atom(base + "/tags.atom", "Tags"),
    ]
  }
}

/// Pages of GitHub in the place of an owner.
private let gitHubPages: Set = [
  "about", "apps", "codespaces", "collections", "contact", "customer-stories", "enterprise",
  "events", "explore", "features", "issues", "join", "login", "marketplace", "new",
  "notifications", "organizations", "pricing", "pulls", "readme", "search", "security", "settings",
  "signup", "site", "sponsors", "stars", "team", "topics", "trending", "watching",
]

private func gitLab(_ page: SitePage) -> [FeedLink]? {
  guard page.host == "gitlab.com" || page.host.hasPrefix("gitlab.") else { return nil }
  guard !["explore", "users", "help", "dashboard", "groups"].contains(page[0] ?? "explore") else {
    return []
  }
  if let dash = page.segments.firstIndex(of: "-"), dash >= 2 {
    let base = page.origin + page.path(dash)
    let rest = page.segments.dropFirst(dash + 1)
    switch rest.first {
    case "tags": return [atom(base + "/-/tags?format=atom", "Tags")]
    case "issues": return [atom(base + "/-/issues.atom", "Issues")]
    case "merge_requests": return [atom(base + "/-/merge_requests.atom", "Merge requests")]
    case "commits" where rest.count > 1, "tree" where rest.count > 1:
      let branch = rest.dropFirst().joined(separator: "/")
      return [atom("\(base)/-/commits/\(branch)?format=atom", "Commits")]
    default: return gitLab(project: base)
    }
  }
  let base = page.origin + page.path()
  return page.segments.count == 1 ? [atom(base + ".atom")] : gitLab(project: base)
}

private func gitLab(project base: String) -> [FeedLink] {
  [
    atom(base + "/-/releases.atom", "Releases"), atom(base + ".atom", "Activity"),
    atom(base + "/-/tags?format=atom", "Tags"),
  ]
}

private func codeberg(_ page: SitePage) -> [FeedLink]? {
  let known = ["codeberg.org", "gitea.com", "code.forgejo.org"].contains(page.host)
  guard known || ["gitea.", "forgejo."].contains(where: page.host.hasPrefix) else { return nil }
  return forgejo(page)
}

/// Gitea and its fork Forgejo.
private func forgejo(_ page: SitePage) -> [FeedLink]? {
  guard let owner = page[0], !["explore", "user", "admin", "api", "-"].contains(owner) else {
    return []
  }
  let base = page.origin
  guard page.segments.count > 1 else { return [rss("\(base)/\(owner).rss")] }
  let project = base + page.path(2)
  let rest = page.segments.dropFirst(4)
  switch (page[2], page[3]) {
  case ("releases", _): return [rss(project + "/releases.rss", "Releases")]
  case ("tags", _): return [rss(project + "/tags.rss", "Tags")]
  case ("src", "branch") where !rest.isEmpty, ("commits", "branch") where !rest.isEmpty:
    return [rss("\(project)/rss/branch/\(rest.joined(separator: "/"))", "Commits")]
  default:
    return [
      rss(project + "/releases.rss", "Releases"), rss(project + ".rss", "Activity"),
      rss(project + "/tags.rss", "Tags"),
    ]
  }
}

private func stackExchange(_ page: SitePage) -> [FeedLink]? {
  let sites = [
    "stackoverflow.com", "serverfault.com", "superuser.com", "askubuntu.com", "mathoverflow.net",
    "stackapps.com", "stackexchange.com",
  ]
  guard sites.contains(where: page.isAt), page.host != "stackexchange.com" else { return nil }
  let base = page.origin + "/feeds"
  switch (page[0], page[1], page[2]) {
  case (nil, _, _): return [atom(base)]
  case ("questions", "tagged", let tags?):
    let names = tags.replacing("+", with: "+and+")
    return [atom("\(base)/tag?tagnames=\(names)&sort=newest", percentDecoded(tags))]
  case ("questions", let number?, _) where number.utf8.allSatisfy(\.isASCIIDigit):
    return [atom("\(base)/question/\(number)")]
  case ("users", let number?, _) where number.utf8.allSatisfy(\.isASCIIDigit):
    return [atom("\(base)/user/\(number)")]
  case ("questions", nil, _): return [atom(base)]
  default: return []
  }
}

private func tumblr(_ page: SitePage) -> [FeedLink]? {
  guard page.isAt("tumblr.com") else { return nil }
  if page.name(below: "tumblr.com") != nil {
    if page[0] == "tagged", let tag = page[1] { return [rss("\(page.origin)/tagged/\(tag)/rss")] }
    return [rss(page.origin + "/rss")]
  }
  let pages: Set = ["dashboard", "explore", "login", "register", "search", "tagged", "settings"]
  guard let first = page[0], !pages.contains(first) else { return [] }
  guard let name = first == "blog" ? (page[1] == "view" ? page[2] : page[1]) : first else {
    return []
  }
  return [rss("https://\(name).tumblr.com/rss")]
}

private func medium(_ page: SitePage) -> [FeedLink]? {
  if let name = page.name(below: "medium.com") { return [rss("https://\(name).medium.com/feed")] }
  guard page.host == "medium.com" else { return nil }
  let pages: Set = ["about", "me", "membership", "new-story", "search", "m", "p", "tag"]
  guard let first = page[0] else { return [] }
  if first == "tag", let tag = page[1] { return [rss("https://medium.com/feed/tag/\(tag)")] }
  return pages.contains(first) ? [] : [rss("https://medium.com/feed/\(first)")]
}

private func substack(_ page: SitePage) -> [FeedLink]? {
  guard page.isAt("substack.com") else { return nil }
  guard let name = page.name(below: "substack.com"), name != "open" else { return [] }
  return [rss("https://\(name).substack.com/feed")]
}

private func blogger(_ page: SitePage) -> [FeedLink]? {
  // Blogs have domains for each country: `ada.blogspot.co.uk`.
  let labels = page.host.split(separator: ".")
  guard labels.count >= 3, labels[1] == "blogspot" else { return nil }
  let base = page.origin + "/feeds"
  if page[0] == "search", page[1] == "label", let label = page[2] {
    return [atom("\(base)/posts/default/-/\(label)", percentDecoded(label))]
  }
  return [atom(base + "/posts/default"), atom(base + "/comments/default", "Comments")]
}

private func wordPress(_ page: SitePage) -> [FeedLink]? {
  guard page.name(below: "wordpress.com") != nil else { return nil }
  let posts = rss(page.origin + "/feed/")
  if ["category", "tag", "author"].contains(page[0]), page.segments.count >= 2 {
    return [rss(page.origin + page.path(2) + "/feed/"), posts]
  }
  return [posts, rss(page.origin + "/comments/feed/", "Comments")]
}

private func lemmy(_ page: SitePage) -> [FeedLink]? {
  let known: Set = [
    "beehaw.org", "feddit.org", "feddit.uk", "infosec.pub", "lemm.ee", "programming.dev",
    "sh.itjust.works", "slrpnk.net", "sopuli.xyz",
  ]
  guard known.contains(page.host) || page.host.hasPrefix("lemmy.") else { return nil }
  switch (page[0], page[1]) {
  case ("c", let name?): return [rss("\(page.origin)/feeds/c/\(name).xml?sort=New")]
  case ("u", let name?): return [rss("\(page.origin)/feeds/u/\(name).xml?sort=New")]
  case (nil, _):
    return [
      rss(page.origin + "/feeds/local.xml?sort=Active", "Local"),
      rss(page.origin + "/feeds/all.xml?sort=Active", "All"),
    ]
  default: return []
  }
}

private func vimeo(_ page: SitePage) -> [FeedLink]? {
  guard page.host == "vimeo.com" else { return nil }
  let pages: Set = ["about", "categories", "features", "log_in", "ondemand", "search", "watch"]
  guard let first = page[0], !pages.contains(first), !first.utf8.allSatisfy(\.isASCIIDigit) else {
    return []
  }
  if ["channels", "groups"].contains(first) {
    return page[1].map { [rss("https://vimeo.com/\(first)/\($0)/videos/rss")] } ?? []
  }
  return [rss("https://vimeo.com/\(first)/videos/rss")]
}

private func arXiv(_ page: SitePage) -> [FeedLink]? {
  guard page.isAt("arxiv.org") else { return nil }
  guard ["list", "archive"].contains(page[0]), let subject = page[1] else { return [] }
  return [
    rss("https://rss.arxiv.org/rss/\(subject)"), atom("https://rss.arxiv.org/atom/\(subject)"),
  ]
}

/// Sites whose rules are a line for each kind of page.
private func smallSites(_ page: SitePage) -> [FeedLink]? {
  switch (page.host, page[0], page[1]) {
  case ("bsky.app", "profile", let name?): return [rss("https://bsky.app/profile/\(name)/rss")]
  case ("news.ycombinator.com", nil, _), ("news.ycombinator.com", "news", _):
    return [rss("https://news.ycombinator.com/rss")]
  case ("news.ycombinator.com", "show", _): return [rss("https://news.ycombinator.com/showrss")]
  case ("lobste.rs", nil, _): return [rss("https://lobste.rs/rss")]
  case ("lobste.rs", "newest", nil): return [rss("https://lobste.rs/newest.rss")]
  case ("lobste.rs", "t", let tags?): return [rss("https://lobste.rs/t/\(tags).rss")]
  case ("dev.to", nil, _): return [rss("https://dev.to/feed")]
  case ("dev.to", "t", let tag?): return [rss("https://dev.to/feed/tag/\(tag)")]
  case ("dev.to", let user?, _): return [rss("https://dev.to/feed/\(user)")]
  case ("pypi.org", "project", let name?):
    return [rss("https://pypi.org/rss/project/\(name)/releases.xml", "Releases")]
  case ("crates.io", "crates", let name?):
    return [rss("https://static.crates.io/rss/crates/\(name).xml", "Releases")]
  case ("git.sr.ht", let user?, let name?) where user.hasPrefix("~"):
    let base = "https://git.sr.ht/\(user)/\(name)"
    return [rss(base + "/log/rss.xml", "Commits"), rss(base + "/refs/rss.xml", "Tags")]
  case ("odysee.com", let channel?, _) where channel.hasPrefix("@"):
    return [rss("https://odysee.com/$/rss/\(channel)")]
  case ("letterboxd.com", let user?, nil): return [rss("https://letterboxd.com/\(user)/rss/")]
  case ("store.steampowered.com", "app", let app?):
    return [rss("https://store.steampowered.com/feeds/news/app/\(app)/")]
  case ("dailymotion.com", let user?, nil):
    return [rss("https://www.dailymotion.com/rss/user/\(user)")]
  default: return nil
  }
}
