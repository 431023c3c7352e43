import Discovery
import News
import Testing
import Text

@Suite struct SiteFeedsTests {
  /// A page, and the feeds it has; none where the page has to be asked, or is a feed itself.
  static let pages: [(page: String, feeds: [String])] = [
    (
      "https://www.youtube.com/channel/UCabcdefghijklmnopqrstuv",
      [
        "https://www.youtube.com/feeds/videos.xml?channel_id=UCabcdefghijklmnopqrstuv"
      ]
    ),
    (
      "https://youtube.com/channel/UCabcdefghijklmnopqrstuv/videos?view=0",
      [
        "https://www.youtube.com/feeds/videos.xml?channel_id=UCabcdefghijklmnopqrstuv"
      ]
    ),
    ("https://m.youtube.com/user/ada", ["https://www.youtube.com/feeds/videos.xml?user=ada"]),
    (
      "https://www.youtube.com/playlist?list=PL0123",
      [
        "https://www.youtube.com/feeds/videos.xml?playlist_id=PL0123"
      ]
    ),
    (
      "https://www.youtube.com/watch?v=abc&list=PL0123&index=2",
      [
        "https://www.youtube.com/feeds/videos.xml?playlist_id=PL0123"
      ]
    ),
    ("https://www.youtube.com/watch?v=abc&list=RDabc", []),
    ("https://www.youtube.com/@ada", []), ("https://www.youtube.com/c/Ada", []),
    ("https://www.youtube.com/channel/short", []), ("https://youtu.be/abc", []),
    ("https://www.youtube.com/feeds/videos.xml?user=ada", []),

    ("https://www.reddit.com/r/swift/", ["https://www.reddit.com/r/swift/.rss"]),
    ("https://old.reddit.com/r/swift+rust", ["https://www.reddit.com/r/swift+rust/.rss"]),
    ("https://reddit.com/r/swift/top/?t=week", ["https://www.reddit.com/r/swift/top/.rss?t=week"]),
    ("https://www.reddit.com/r/swift/new", ["https://www.reddit.com/r/swift/new/.rss"]),
    ("https://www.reddit.com/user/ada", ["https://www.reddit.com/user/ada/.rss"]),
    ("https://www.reddit.com/u/ada/", ["https://www.reddit.com/user/ada/.rss"]),
    ("https://www.reddit.com/user/ada/m/langs", ["https://www.reddit.com/user/ada/m/langs/.rss"]),
    (
      "https://www.reddit.com/r/swift/comments/1abc/a_title/",
      [
        "https://www.reddit.com/r/swift/comments/1abc/.rss", "https://www.reddit.com/r/swift/.rss",
      ]
    ),
    ("https://www.reddit.com/", ["https://www.reddit.com/.rss"]),
    ("https://www.reddit.com/r/swift/.rss", []), ("https://www.reddit.com/settings", []),

    ("https://github.com/ada", ["https://github.com/ada.atom"]),
    ("https://github.com/orgs/analytical/repositories", ["https://github.com/analytical.atom"]),
    (
      "https://github.com/ada/engine",
      [
        "https://github.com/ada/engine/releases.atom", "https://github.com/ada/engine/commits.atom",
        "https://github.com/ada/engine/tags.atom",
      ]
    ),
    (
      "https://github.com/ada/engine.git/",
      [
        "https://github.com/ada/engine/releases.atom", "https://github.com/ada/engine/commits.atom",
        "https://github.com/ada/engine/tags.atom",
      ]
    ),
    (
      "https://github.com/ada/engine/issues",
      [
        "https://github.com/ada/engine/releases.atom", "https://github.com/ada/engine/commits.atom",
        "https://github.com/ada/engine/tags.atom",
      ]
    ),
    ("https://github.com/ada/engine/releases", ["https://github.com/ada/engine/releases.atom"]),
    (
      "https://github.com/ada/engine/releases/tag/v1",
      [
        "https://github.com/ada/engine/releases.atom"
      ]
    ),
    ("https://github.com/ada/engine/tags", ["https://github.com/ada/engine/tags.atom"]),
    ("https://github.com/ada/engine/commits", ["https://github.com/ada/engine/commits.atom"]),
    (
      "https://github.com/ada/engine/commits/main",
      [
        "https://github.com/ada/engine/commits/main.atom"
      ]
    ),
    (
      "https://github.com/ada/engine/tree/release/6",
      [
        "https://github.com/ada/engine/commits/release/6.atom"
      ]
    ),
    (
      "https://github.com/ada/engine/blob/main/README.md",
      [
        "https://github.com/ada/engine/commits/main/README.md.atom"
      ]
    ),
    ("https://github.com/ada/engine/wiki", ["https://github.com/ada/engine/wiki.atom"]),
    (
      "https://github.com/ada/engine/discussions",
      [
        "https://github.com/ada/engine/discussions.atom"
      ]
    ),
    ("https://gist.github.com/ada", ["https://gist.github.com/ada.atom"]),
    ("https://gist.github.com/ada/0123456789", []), ("https://github.com/", []),
    ("https://github.com/explore", []), ("https://github.com/topics/swift", []),
    ("https://github.com/ada/engine/releases.atom", []),

    ("https://gitlab.com/ada", ["https://gitlab.com/ada.atom"]),
    (
      "https://gitlab.com/ada/engine",
      [
        "https://gitlab.com/ada/engine/-/releases.atom", "https://gitlab.com/ada/engine.atom",
        "https://gitlab.com/ada/engine/-/tags?format=atom",
      ]
    ),
    (
      "https://gitlab.gnome.org/GNOME/gtk/-/commits/main",
      [
        "https://gitlab.gnome.org/GNOME/gtk/-/commits/main?format=atom"
      ]
    ),
    (
      "https://gitlab.com/group/sub/engine/-/tags",
      [
        "https://gitlab.com/group/sub/engine/-/tags?format=atom"
      ]
    ),
    ("https://gitlab.com/ada/engine/-/issues", ["https://gitlab.com/ada/engine/-/issues.atom"]),
    ("https://gitlab.com/explore", []),
    ("https://gitlab.com/ada/engine/-/tags?format=atom", []),

    ("https://codeberg.org/ada", ["https://codeberg.org/ada.rss"]),
    (
      "https://codeberg.org/ada/engine",
      [
        "https://codeberg.org/ada/engine/releases.rss", "https://codeberg.org/ada/engine.rss",
        "https://codeberg.org/ada/engine/tags.rss",
      ]
    ),
    ("https://codeberg.org/ada/engine/releases", ["https://codeberg.org/ada/engine/releases.rss"]),
    (
      "https://codeberg.org/ada/engine/src/branch/main",
      [
        "https://codeberg.org/ada/engine/rss/branch/main"
      ]
    ),
    ("https://gitea.com/ada/engine/tags", ["https://gitea.com/ada/engine/tags.rss"]),
    ("https://codeberg.org/explore/repos", []), ("https://codeberg.org/ada.rss", []),
    (
      "https://git.sr.ht/~ada/engine",
      [
        "https://git.sr.ht/~ada/engine/log/rss.xml", "https://git.sr.ht/~ada/engine/refs/rss.xml",
      ]
    ),

    (
      "https://stackoverflow.com/questions/tagged/swift",
      [
        "https://stackoverflow.com/feeds/tag?tagnames=swift&sort=newest"
      ]
    ),
    (
      "https://stackoverflow.com/questions/tagged/swift+linux?tab=Newest",
      [
        "https://stackoverflow.com/feeds/tag?tagnames=swift+and+linux&sort=newest"
      ]
    ),
    (
      "https://unix.stackexchange.com/questions/123/how-to",
      [
        "https://unix.stackexchange.com/feeds/question/123"
      ]
    ),
    ("https://superuser.com/users/7/ada", ["https://superuser.com/feeds/user/7"]),
    ("https://askubuntu.com/", ["https://askubuntu.com/feeds"]),
    ("https://stackoverflow.com/questions/ask", []), ("https://stackexchange.com/sites", []),

    ("https://ada.tumblr.com/", ["https://ada.tumblr.com/rss"]),
    ("https://ada.tumblr.com/tagged/sea%20side", ["https://ada.tumblr.com/tagged/sea%20side/rss"]),
    ("https://www.tumblr.com/ada/123/slug", ["https://ada.tumblr.com/rss"]),
    ("https://www.tumblr.com/blog/view/ada", ["https://ada.tumblr.com/rss"]),
    ("https://www.tumblr.com/dashboard", []),
    ("https://medium.com/@ada", ["https://medium.com/feed/@ada"]),
    ("https://medium.com/@ada/a-story-0123", ["https://medium.com/feed/@ada"]),
    ("https://medium.com/engines", ["https://medium.com/feed/engines"]),
    ("https://medium.com/tag/swift", ["https://medium.com/feed/tag/swift"]),
    ("https://ada.medium.com/", ["https://ada.medium.com/feed"]),
    ("https://medium.com/search", []), ("https://medium.com/feed/@ada", []),
    ("https://ada.substack.com/p/a-letter", ["https://ada.substack.com/feed"]),
    ("https://substack.com/@ada", []), ("https://ada.substack.com/feed", []),
    (
      "https://ada.blogspot.com/",
      [
        "https://ada.blogspot.com/feeds/posts/default",
        "https://ada.blogspot.com/feeds/comments/default",
      ]
    ),
    (
      "http://ada.blogspot.co.uk/2020/01/post.html",
      [
        "http://ada.blogspot.co.uk/feeds/posts/default",
        "http://ada.blogspot.co.uk/feeds/comments/default",
      ]
    ),
    (
      "https://ada.blogspot.com/search/label/Sea",
      [
        "https://ada.blogspot.com/feeds/posts/default/-/Sea"
      ]
    ),
    (
      "https://ada.wordpress.com/about",
      [
        "https://ada.wordpress.com/feed/", "https://ada.wordpress.com/comments/feed/",
      ]
    ),
    (
      "https://ada.wordpress.com/category/sea/",
      [
        "https://ada.wordpress.com/category/sea/feed/", "https://ada.wordpress.com/feed/",
      ]
    ),
    ("https://bsky.app/profile/ada.example", ["https://bsky.app/profile/ada.example/rss"]),
    ("https://bsky.app/", []), ("https://bsky.app/profile/ada.example/rss", []),
    ("https://lemmy.world/c/books", ["https://lemmy.world/feeds/c/books.xml?sort=New"]),
    ("https://programming.dev/u/ada", ["https://programming.dev/feeds/u/ada.xml?sort=New"]),
    (
      "https://lemmy.ml/",
      [
        "https://lemmy.ml/feeds/local.xml?sort=Active",
        "https://lemmy.ml/feeds/all.xml?sort=Active",
      ]
    ),
    ("https://news.ycombinator.com", ["https://news.ycombinator.com/rss"]),
    ("https://news.ycombinator.com/news?p=2", ["https://news.ycombinator.com/rss"]),
    ("https://news.ycombinator.com/item?id=1", []), ("https://news.ycombinator.com/rss", []),
    ("https://lobste.rs/", ["https://lobste.rs/rss"]),
    ("https://lobste.rs/t/swift", ["https://lobste.rs/t/swift.rss"]),
    ("https://vimeo.com/ada", ["https://vimeo.com/ada/videos/rss"]),
    ("https://vimeo.com/channels/sea", ["https://vimeo.com/channels/sea/videos/rss"]),
    ("https://vimeo.com/123456", []), ("https://vimeo.com/ada/videos/rss", []),
    (
      "https://arxiv.org/list/cs.PL/recent",
      [
        "https://rss.arxiv.org/rss/cs.PL", "https://rss.arxiv.org/atom/cs.PL",
      ]
    ),
    ("https://arxiv.org/abs/2401.00001", []),
    ("https://dev.to/ada", ["https://dev.to/feed/ada"]),
    ("https://dev.to/t/swift", ["https://dev.to/feed/tag/swift"]),
    ("https://pypi.org/project/requests/", ["https://pypi.org/rss/project/requests/releases.xml"]),
    ("https://crates.io/crates/serde", ["https://static.crates.io/rss/crates/serde.xml"]),
    ("https://odysee.com/@ada:1", ["https://odysee.com/$/rss/@ada:1"]),
    ("https://letterboxd.com/ada/", ["https://letterboxd.com/ada/rss/"]),
    (
      "https://store.steampowered.com/app/400/Portal/",
      [
        "https://store.steampowered.com/feeds/news/app/400/"
      ]
    ),

    // Others, and what only looks like one of them.
    ("https://example.org/", []), ("https://podcasts.apple.com/us/podcast/a/id123", []),
    ("https://notyoutube.com/user/ada", []), ("https://github.com.example.org/ada", []),
    ("https://reddit.com.example.org/r/swift", []), ("ftp://github.com/ada", []),
    ("https://mastodon.social/@ada", []), ("not an address", []), ("", []),
  ]

  @Test(arguments: pages)
  func `The address of a page tells its feeds`(_ page: String, _ feeds: [String]) {
    #expect(SiteFeeds.feeds(ofPage: page).map(\.url) == feeds)
  }

  @Test func `What a page has are addresses of the web, and no pages themselves`() {
    #expect(Self.pages.count >= 80)
    for feed in Self.pages.flatMap({ SiteFeeds.feeds(ofPage: $0.page) }) {
      #expect(WebAddress.isWeb(feed.url))
      #expect((try? WebAddress.normalized(feed.url)) == feed.url)
      #expect(feed.formatName != nil)
    }
  }

  @Test(
    arguments: [
      ("https://social.example/@ada", ["https://social.example/@ada.rss"]),
      ("http://127.0.0.1:8080/@ada", ["http://127.0.0.1:8080/@ada.rss"]),
      ("https://social.example/@ada/tagged/sea", ["https://social.example/@ada/tagged/sea.rss"]),
      ("https://social.example/@ada@other.example", ["https://other.example/@ada.rss"]),
      ("https://social.example/users/ada", ["https://social.example/users/ada.rss"]),
      ("https://social.example/tags/sea", ["https://social.example/tags/sea.rss"]),
      (
        "https://git.example.org/ada/engine/releases",
        [
          "https://git.example.org/ada/engine/releases.rss"
        ]
      ),
      ("https://social.example/@ada/123456", ["https://social.example/@ada.rss"]),
      ("https://social.example/@ada@other.example/123", ["https://other.example/@ada.rss"]),
      ("https://social.example/@ada/about", []), ("https://social.example/@/123", []),
      (
        "https://e.org/c/sea/videos",
        [
          "https://e.org/feeds/c/sea.xml?sort=New",
          "https://e.org/feeds/videos.xml?videoChannelName=sea",
        ]
      ),
      ("https://e.org/u/ada", ["https://e.org/feeds/u/ada.xml?sort=New"]),
      ("https://e.org/a/ada/video-channels", ["https://e.org/feeds/videos.xml?accountName=ada"]),
      ("https://e.org/c", []), ("https://social.example/@", []),
      ("https://social.example/@ada.rss", []), ("https://example.org/about", []),
      ("https://example.org/", []),
    ] as [(String, [String])])
  func `Software that any host may run is guessed at`(_ page: String, _ feeds: [String]) {
    #expect(SiteFeeds.guesses(forPage: page).map(\.url) == feeds)
  }

  private static let channel = "UCabcdefghijklmnopqrs-_v"

  @Test(
    arguments: [
      #"{"metadata":{"externalId":"ID"}}"#, #"<meta itemprop="identifier" content="ID">"#,
      #"<meta itemprop="channelId" content="ID">"#,
      #"<link rel="canonical" href="https://www.youtube.com/channel/ID">"#,
      #"{"channelId":"ID","title":"A"}"#,
      #"{"channelId":"UCxxxxxxxxxxxxxxxxxxxxxx"} {"externalId":"ID"}"#,
      #"{"externalId":"short"}{"channelId":"ID"}"#,
    ])
  func `A page of YouTube tells the channel it belongs to`(_ html: String) {
    let bytes = Array(
      html.replacing("\"ID\"", with: "\"\(Self.channel)\"").replacing(
        "/ID", with: "/" + Self.channel
      ).utf8)
    #expect(
      SiteFeeds.feeds(in: bytes, ofPage: "https://www.youtube.com/@ada").map(\.url) == [
        "https://www.youtube.com/feeds/videos.xml?channel_id=\(Self.channel)"
      ])
    #expect(SiteFeeds.feeds(in: bytes, ofPage: "https://example.org/@ada").isEmpty)
  }

  @Test(arguments: ["", "{\"externalId\":\"", "\"externalId\":\"UC\"", "<p>no channel</p>"])
  func `A page of YouTube without a channel has no feed`(_ html: String) {
    #expect(SiteFeeds.feeds(in: Array(html.utf8), ofPage: "https://www.youtube.com/@a").isEmpty)
  }

  @Test(
    arguments: [
      (
        "https://e.org/", false,
        [
          "https://e.org/feed/", "https://e.org/feed", "https://e.org/rss", "https://e.org/rss.xml",
          "https://e.org/atom.xml", "https://e.org/feed.xml", "https://e.org/index.xml",
          "https://e.org/feed.json", "https://e.org/blog/feed/",
        ]
      ),
      (
        "https://e.org/?p=1", true,
        [
          "https://e.org/feed/", "https://e.org/?feed=rss2", "https://e.org/feed",
          "https://e.org/rss", "https://e.org/rss.xml", "https://e.org/atom.xml",
          "https://e.org/feed.xml", "https://e.org/index.xml", "https://e.org/feed.json",
          "https://e.org/blog/feed/",
        ]
      ),
    ] as [(String, Bool, [String])])
  func `Feeds have usual places`(_ page: String, _ isWordPress: Bool, _ places: [String]) {
    #expect(FeedLinks.usualPlaces(of: page, isWordPress: isWordPress) == places)
  }

  /// What is looked for first, and what else; all within eleven requests.
  @Test(
    arguments: [
      (
        "http://e.org/~ada/about.html", ["~ada/feed/", "~ada/feed.xml"],
        ["feed/", "rss.xml", "~ada/feed"]
      ),
      ("http://e.org/~ada/posts/x.html", ["~ada/feed/", "~ada/feed.xml"], ["~ada/posts/feed.xml"]),
      ("http://e.org/blog/post/1", ["blog/feed/"], ["blog/feed", "blog/post/feed/", "feed/"]),
      ("http://e.org/blog/", ["blog/feed/"], ["blog/rss.xml", "feed/", "rss"]),
      (
        "http://e.org/blog/2024/05/post/", ["blog/feed/", "blog/feed.xml"], ["feed/", "index.xml"]
      ),
      ("http://e.org/2024/05/post/", ["feed/", "feed", "rss"], ["rss.xml", "blog/feed/"]),
      ("http://e.org/people/ada/?x=/y/", ["people/feed/"], ["people/ada/feed.xml", "feed/"]),
    ] as [(String, [String], [String])])
  func `Of folders the first, the last and the root are looked at`(
    _ page: String, _ first: [String], _ others: [String]
  ) {
    let places = FeedLinks.usualPlaces(of: page)
    #expect(places.prefix(first.count) == first.map { "http://e.org/" + $0 }[...])
    for place in others { #expect(places.contains("http://e.org/" + place)) }
    #expect(places.count <= 11 && Set(places).count == places.count)
    // In WordPress that would be the comments on the article.
    #expect(!places.contains { $0.contains("2024") })
  }

  @Test func `What is no address has no places`() {
    #expect(FeedLinks.usualPlaces(of: "no address").isEmpty)
  }

  @Test(
    arguments: [
      (
        "https://consent.youtube.com/m?continue=https%3A%2F%2Fwww.youtube.com%2F%40x&gl=DE",
        "https://www.youtube.com/@x"
      ),
      (
        "https://consent.google.com/ml?gl=DE&continue=https://m.youtube.com/c/x%3Fa%3Db",
        "https://m.youtube.com/c/x?a=b"
      ),
      ("https://consent.youtube.com/m?continue=https%3A%2F%2Fwww.google.com%2F", nil),
      ("https://consent.youtube.com/m?continue=https%3A%2F%2Fconsent.youtube.com%2Fm", nil),
      ("https://consent.youtube.com/m", nil),
      ("https://e.org/m?continue=https%3A%2F%2Fwww.youtube.com%2F%40x", nil),
    ] as [(String, String?)])
  func `The question about cookies tells which page is behind it`(
    _ address: String, _ page: String?
  ) {
    #expect(SiteFeeds.pageBehindConsent(at: address) == page)
  }

  @Test(arguments: [
    ("https://www.youtube.com/@x", true), ("http://m.youtube.com/", true),
    ("https://youtube.com.e.org/", false), ("https://e.org/www.youtube.com", false), ("", false),
  ])
  func `That question is answered to YouTube only`(_ address: String, _ isAnswered: Bool) {
    #expect((SiteFeeds.refusalOfConsent(at: address) != nil) == isAnswered)
  }
}

@Suite struct LinkHeaderTests {
  @Test(
    arguments: [
      (
        #"</feed>; rel=alternate; type=application/rss+xml"#,
        [
          HeaderLink(target: "/feed", relations: ["alternate"], type: "application/rss+xml")
        ]
      ),
      (
        #"<https://e.org/f?a=1,2;3>; rel="Alternate feed"; TYPE="Application/Atom+XML; charset=utf-8""#,
        [
          HeaderLink(
            target: "https://e.org/f?a=1,2;3", relations: ["alternate", "feed"],
            type: "application/atom+xml")
        ]
      ),
      (
        #"<a>; rel="next"; title="a \"b\", c; d", <b>;rel=prev"#,
        [
          HeaderLink(target: "a", relations: ["next"], title: #"a "b", c; d"#),
          HeaderLink(target: "b", relations: ["prev"]),
        ]
      ),
      (
        #"<a>; rel=x; rel=y; title=plain; title*=UTF-8'de'Gr%C3%BC%C3%9Fe"#,
        [
          HeaderLink(target: "a", relations: ["x"], title: "Grüße")
        ]
      ),
      (
        #"<a>; rel=x; title*=UTF-8''only; title=later"#,
        [
          HeaderLink(target: "a", relations: ["x"], title: "only")
        ]
      ),
      (
        #"<a>; title*=ISO-8859-1''gr%FC; rel=x; flag; title=t"#,
        [
          HeaderLink(target: "a", relations: ["x"], title: "t")
        ]
      ),
      (
        #"<a> ; rel = "x" , , <b>"#,
        [
          HeaderLink(target: "a", relations: ["x"]), HeaderLink(target: "b"),
        ]
      ),
      (
        #"<a>; anchor="/other"; rel=alternate"#,
        [
          HeaderLink(target: "a", relations: ["alternate"], hasAnchor: true)
        ]
      ),
      (#"<>; rel=self"#, [HeaderLink(target: "", relations: ["self"])]),
      (#"<a>; title="never closed"#, [HeaderLink(target: "a", title: "never closed")]),
      ("<unclosed; rel=x", []), ("no link", []), ("", []), (";;;,,,", []),
    ] as [(String, [HeaderLink])])
  func `Links in the head of an answer are read by RFC 8288`(_ value: String, _ links: [HeaderLink])
  {
    #expect(HeaderLink.links(in: [value]) == links)
  }

  @Test func `A head without end is read in bounds`() {
    #expect(HeaderLink.links(in: [String(repeating: "<a>,", count: 5_000)]).count == 100)
  }

  @Test func `What the head declares is as good as what the page does`() {
    let found = FeedLinks.look(
      in: Array("<link rel=alternate type=application/rss+xml href=/a>".utf8),
      base: "https://e.org/",
      linkFields: [
        #"</b>; rel="alternate"; type="application/atom+xml"; title="B""#,
        #"</a>; rel=alternate; type=application/rss+xml, </c>; rel=alternate; hreflang=de"#,
        #"</d>; rel=alternate; type="application/rss+xml"; anchor="/x""#,
        #"<https://e.org/wp-json/>; rel="https://api.w.org/""#,
      ])
    #expect(
      found.declared == [
        FeedLink(url: "https://e.org/a", type: "application/rss+xml"),
        FeedLink(url: "https://e.org/b", title: "B", type: "application/atom+xml"),
      ])
    #expect(found.isWordPress)
  }
}
