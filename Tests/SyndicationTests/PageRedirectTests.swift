internal import News
internal import Testing

@testable internal import Syndication

/// Pages that lead elsewhere by themselves.
@Suite struct PageRedirectTests {
  private static let base = "https://example.org/a/"

  @Test(arguments: [
    #"<meta http-equiv="refresh" content="0;URL='/b.html'">"#,
    #"<META HTTP-EQUIV=Refresh CONTENT="0; url=/b.html">"#,
    #"<meta content='1, url = "/b.html"' http-equiv='refresh'>"#,
    #"<noscript><meta http-equiv="refresh" content="0;url=/b.html"></noscript>"#,
    #"<script>window.location.href = "https://example.org/b.html";</script>"#,
    #"<script>location.replace('/b.html')</script>"#,
    #"<script type="text/javascript">if (a) { document.location = '/b.html' }</script>"#,
  ])
  func `A page is followed to where it leads`(_ html: String) throws {
    let page = "<html><head>\(html)</head><body><a href='/b.html'>go</a></body></html>"
    let article = try PageArticleReader.read(Array(page.utf8), contentType: nil, url: Self.base)
    #expect(article.kind != .article && article.refresh == "https://example.org/b.html")
  }

  @Test(arguments: [
    #"<meta http-equiv="refresh" content="300">"#,
    #"<meta http-equiv="refresh" content="300;url=/news">"#,
    #"<meta http-equiv="refresh" content="0;url=https://example.org/a/">"#,
    #"<meta http-equiv="refresh" content="0;url=http://example.org/b">"#,
    #"<meta http-equiv="refresh" content="0;url=javascript:alert(1)">"#,
    #"<meta name="x" content="0;url=/b">"#, "<p>location = '/b'</p>",
  ])
  func `A page that is renewed, or leads to nothing that may be followed, stays`(
    _ html: String
  ) throws {
    let page = "<html><head>\(html)</head><body><a href='/b.html'>go</a></body></html>"
    let article = try PageArticleReader.read(Array(page.utf8), contentType: nil, url: Self.base)
    #expect(article.refresh == nil)
  }
}
