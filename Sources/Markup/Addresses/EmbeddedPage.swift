internal import Text

/// The web page of a video, a post or a piece of code that an element of a site's own, or a script, puts into an article.
enum EmbeddedPage {
  /// Hosts whose scripts show one page of theirs: `https://gist.github.com/someone/0123.js`.
  static let codeHosts = [
    "gist.github.com", "gitlab.com", "pastebin.com", "jsfiddle.net", "asciinema.org",
  ]
  static let pollHosts = ["polldaddy.com", "poll.fm"]
  private static let scriptHosts = codeHosts + pollHosts + ["datawrapper.dwcdn.net"]

  /// The addresses to which identifiers belong, by a part of the element's name.
  private static let pages = [
    ("youtube", "https://www.youtube.com/watch?v="), ("vimeo", "https://vimeo.com/"),
    ("dailymotion", "https://www.dailymotion.com/video/"),
    ("twitter", "https://twitter.com/i/status/"), ("tweet", "https://twitter.com/i/status/"),
    ("gist", "https://gist.github.com/"), ("instagram", "https://www.instagram.com/p/"),
  ]
  private static let identifiers = [
    "videoid", "video-id", "tweetid", "tweet-id", "gistid", "shortcode",
  ]
  /// Parts of names of elements that show what is at their address.
  private static let players = [
    "audio", "embed", "facebook", "iframe", "player", "reddit", "video", "vimeo", "youtube",
  ]

  /// Whether a host is one of some domains, or in one of them.
  static func isHost(_ host: String, of domains: [String]) -> Bool {
    domains.contains { host == $0 || host.hasSuffix("." + $0) }
  }

  /// - Parameters:
  ///   - name: of an element that HTML does not have, in lower case: `lite-youtube`, `amp-vimeo`, `youtube-video`.
  ///   - value: of one of its attributes; nil for none.
  /// - Returns: nil for an element that is no player.
  static func address(ofElement name: String, value: (String) -> String?) -> String? {
    guard name.contains("-") else { return nil }
    let identifier = identifiers.compactMap { value($0) ?? value("data-\($0)") }.first
    if let identifier, let page = pages.first(where: { name.contains($0.0) }),
      1...64 ~= identifier.utf8.count,
      identifier.utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || "-_".utf8.contains($0) })
    {
      return page.1 + identifier
    }
    guard players.contains(where: name.contains) else { return nil }
    return ["src", "data-src", "data-href"].compactMap(value).first
  }

  /// - Parameter source: the address of a script, as it stands in the document.
  /// - Returns: nil for a script that shows no page.
  static func address(ofScriptAt source: String) -> String? {
    let address = source.hasPrefix("//") ? "https:" + source : source
    guard let host = WebAddress.host(of: address)?.lowercased(),
      isHost(host, of: scriptHosts)
    else { return nil }
    // The script of a poll lies at a host of its own.
    if host.hasSuffix("polldaddy.com"), let name = address.split(separator: "/").last,
      let end = name.firstRange(of: ".js")?.lowerBound
    {
      return "https://poll.fm/" + name[..<end]
    }
    for (mark, page) in [(".js", ""), ("/embed/", "/"), ("/embed_js/", "/")] {
      guard let range = address.firstRange(of: mark) else { continue }
      if mark == "/embed/" { return String(address[..<range.lowerBound]) + page }
      let rest = address[..<range.lowerBound] + page + address[range.upperBound...]
      return rest.hasSuffix("/embed") ? String(rest.dropLast("embed".count)) : String(rest)
    }
    return nil
  }
}
