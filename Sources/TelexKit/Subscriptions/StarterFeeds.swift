package import News

extension OPMLDocument {
  /// A few feeds for a start: long established, without a sign-in, each showing something else that
  /// feeds can do.
  package static var starter: OPMLDocument {
    func feed(_ title: String, _ url: String, in folder: String) -> Feed {
      Feed(url: url, title: title, categories: [[folder]])
    }
    return OPMLDocument(
      title: "Telex",
      feeds: [
        feed("BBC World", "https://feeds.bbci.co.uk/news/world/rss.xml", in: "News"),
        feed("The Guardian World", "https://www.theguardian.com/world/rss", in: "News"),
        feed("LWN.net", "https://lwn.net/headlines/rss", in: "Computing"),
        feed("Hacker News", "https://news.ycombinator.com/rss", in: "Computing"),
        feed("Planet Debian", "https://planet.debian.org/rss20.xml", in: "Computing"),
        feed("Swift.org", "https://www.swift.org/atom.xml", in: "Computing"),
        feed("Astronomy Picture of the Day", "https://apod.nasa.gov/apod.rss", in: "Science"),
        feed("Quanta Magazine", "https://api.quantamagazine.org/feed/", in: "Science"),
        feed("xkcd", "https://xkcd.com/atom.xml", in: "Leisure"),
      ])
  }
}
