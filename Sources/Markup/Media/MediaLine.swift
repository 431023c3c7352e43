internal import Text

/// The line that stands for a frame, a video or a sound: `[video: title · host · 12:34]`.
struct MediaLine {
  /// Absolute.
  var url: String
  private var kind: String
  private var title: String?
  /// How long it plays; nil where that is not known.
  private(set) var seconds: Double?

  /// - Parameter lengths: how long the files at these addresses play, in seconds.
  init(_ element: DocumentBuilder.Element, url: String, lengths: [String: Double]) {
    kind =
      switch element.tag {
      case .audio: "audio"
      case .video: "video"
      default: MediaLine.kind(ofPlayerAt: url) ?? (element.tag == .iframe ? "frame" : "media")
      }
    self.url = MediaLine.page(ofPlayerAt: url)
    let words = PlainText.sanitized(element["title"] ?? element["aria-label"] ?? "")
    title = words.isEmpty ? nil : words
    seconds =
      (element["duration"] ?? element["data-duration"]).flatMap(MediaLine.seconds) ?? lengths[url]
  }

  var text: String {
    let host = WebAddress.host(of: url).map { $0.hasPrefix("www.") ? String($0.dropFirst(4)) : $0 }
    let parts = [title, host, seconds.map(MediaLine.text(ofSeconds:))].compactMap(\.self)
    return parts.isEmpty ? "[\(kind)]" : "[\(kind): \(parts.joined(separator: " · "))]"
  }

  // MARK: Players

  private static let videoHosts = [
    "youtube.com", "youtube-nocookie.com", "youtu.be", "vimeo.com", "dailymotion.com", "twitch.tv",
    "ted.com", "wistia.net", "rumble.com", "odysee.com", "bilibili.com", "streamable.com",
  ]
  private static let audioHosts = [
    "soundcloud.com", "spotify.com", "bandcamp.com", "podcasts.apple.com", "mixcloud.com",
    "buzzsprout.com", "simplecast.com", "megaphone.fm", "podigee.io",
  ]

  private static func kind(ofPlayerAt url: String) -> String? {
    guard let host = WebAddress.host(of: url)?.lowercased() else { return nil }
    func isOne(of hosts: [String]) -> Bool { EmbeddedPage.isHost(host, of: hosts) }
    // PeerTube is at many hosts, and always at this path.
    if isOne(of: videoHosts) || WebAddress.path(of: url).contains("/videos/embed/") {
      return "video"
    }
    if isOne(of: EmbeddedPage.codeHosts) { return "code" }
    if isOne(of: EmbeddedPage.pollHosts) { return "poll" }
    return isOne(of: audioHosts) ? "audio" : nil
  }

  /// YouTube's player answers a browser that comes to it directly with an error; the page of the video does not.
  private static func page(ofPlayerAt url: String) -> String {
    let host = WebAddress.host(of: url)?.lowercased() ?? ""
    guard host.hasSuffix("youtube.com") || host.hasSuffix("youtube-nocookie.com") else {
      return url
    }
    let path = WebAddress.path(of: url)
    // The second is that of its player in Flash.
    guard let start = ["/embed/", "/v/"].first(where: path.hasPrefix) else { return url }
    let name = path.dropFirst(start.count).prefix { !"?/#&".contains($0) }
    guard name.utf8.count == 11 else { return url }
    return "https://www.youtube.com/watch?v=\(name)"
  }

  // MARK: Lengths

  /// Seconds as they are, `12:34` or `1:02:03`; nil for anything else, and beyond a week.
  private static func seconds(_ text: String) -> Double? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count <= 3 else { return nil }
    var sum = 0.0
    for part in parts {
      guard let number = Double(part), number >= 0 else { return nil }
      sum = sum * 60 + number
    }
    return sum >= 1 && sum < 604_800 ? sum : nil
  }

  private static func text(ofSeconds seconds: Double) -> String {
    let whole = Int(seconds.rounded())
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let (hours, minutes) = (whole / 3600, whole / 60 % 60)
    let end = two(whole % 60)
    return hours > 0 ? "\(hours):\(two(minutes)):\(end)" : "\(minutes):\(end)"
  }
}
