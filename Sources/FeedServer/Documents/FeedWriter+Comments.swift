internal import Foundation
internal import News
internal import Text

/// Feeds of the comments on an article.
extension FeedWriter {
  /// How many comments the feed of WordPress has.
  private static let mostInRSS = 10

  func commentFeedAddress(of article: Archive.Article, _ name: String) -> String {
    "\(origin)/read/\(percentEncoded(article.entry.id))/\(name)"
  }

  /// - Parameters:
  ///   - name: `comments.xml` for RSS as WordPress writes it, the newest ones only and none below another;
  ///     `comments-atom.xml` for Atom, in which each names what it answers (RFC 4685).
  ///   - comments: the oldest first.
  func commentFeed(
    _ name: String, _ comments: [Comment], on article: Archive.Article
  ) -> WireReply? {
    switch name {
    case "comments.xml":
      WireReply(
        type: "application/rss+xml; charset=utf-8",
        text: rss(comments.reversed().prefix(Self.mostInRSS), on: article))
    case "comments-atom.xml":
      WireReply(
        type: "application/atom+xml; charset=utf-8", text: atom(comments.reversed(), on: article))
    default: nil
    }
  }

  private func page(of comment: Comment, on article: Archive.Article) -> String {
    (article.entry.url.map(absolute) ?? home) + "#comment-\(percentEncoded(comment.id))"
  }

  private func html(of comment: Comment) -> String {
    comment.text.split(separator: "\n\n").map { "<p>\(escapedXML(String($0)))</p>" }.joined()
  }

  private func rss(_ comments: some Sequence<Comment>, on article: Archive.Article) -> String {
    var out = XMLText()
    out.raw(
      """
      <rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" \
      xmlns:dc="http://purl.org/dc/elements/1.1/">
      <channel>

      """)
    out.element("title", "Comments on: \(article.entry.title ?? "")")
    out.element("link", article.entry.url.map(absolute))
    for comment in comments {
      out.raw("<item>\n")
      out.element("title", "By: \(comment.author ?? "somebody")")
      out.element("link", page(of: comment, on: article))
      out.element("dc:creator", comment.author)
      out.element("pubDate", comment.published.rssDate)
      out.element("guid", page(of: comment, on: article), [("isPermaLink", "false")])
      out.element("description", comment.text)
      out.element("content:encoded", html(of: comment))
      out.raw("</item>\n")
    }
    out.raw("</channel>\n</rss>\n")
    return out.text
  }

  private func atom(_ comments: some Sequence<Comment>, on article: Archive.Article) -> String {
    var out = XMLText()
    out.raw(
      "<feed xmlns=\"http://www.w3.org/2005/Atom\" xmlns:thr=\"http://purl.org/syndication/thread/1.0\">\n"
    )
    func id(_ comment: String) -> String { "\(origin)/comment/" + percentEncoded(comment) }
    out.element("id", commentFeedAddress(of: article, "comments-atom.xml"))
    out.element("title", "Comments on: \(article.entry.title ?? "")")
    out.element("updated", article.published.iso8601)
    for comment in comments {
      out.raw("<entry>\n")
      out.element("id", id(comment.id))
      out.element("title", "By: \(comment.author ?? "somebody")")
      out.element("published", comment.published.iso8601)
      out.element("updated", (comment.updated ?? comment.published).iso8601)
      out.raw("<author>")
      out.element("name", comment.author ?? "somebody")
      out.raw("</author>\n")
      out.empty(
        "link",
        [("rel", "alternate"), ("type", "text/html"), ("href", page(of: comment, on: article))])
      let answered =
        comment.parent.map(id) ?? "\(origin)/id/" + percentEncoded(article.entry.id)
      out.empty("thr:in-reply-to", [("ref", answered)])
      out.element("content", html(of: comment), [("type", "html")])
      out.raw("</entry>\n")
    }
    out.raw("</feed>\n")
    return out.text
  }
}
