internal import Testing

@testable internal import Markup

/// What pages show by scripts, plug-ins and elements of their own.
@Suite struct EmbeddedContentTests {
  private func markdown(_ html: String) -> String {
    Markup.document(html: html).markdown()
  }

  @Test(arguments: [
    (
      "<p>a</p><noscript><a href='https://example.org/poll'>Take our poll</a></noscript>",
      "Take our poll"
    ),
    ("<noscript><p>The code:</p><pre>print()</pre></noscript>", "print()"),
    (
      "<object><p>A text with a <a href='https://example.org/f'>link</a></p></object>",
      "A text with"
    ),
    (
      "<object><param name='movie' value='https://www.youtube.com/v/abc'></object>",
      "youtube.com/v/abc"
    ),
    (
      "<object data='x.svg' type='image/svg+xml'><img src='https://example.org/y.png' alt='a plan'></object>",
      "a plan"
    ),
    ("<lite-youtube videoid='abcdefghijk'></lite-youtube>", "watch?v=abcdefghijk"),
    ("<amp-youtube data-videoid='abcdefghijk'></amp-youtube>", "watch?v=abcdefghijk"),
    ("<lite-vimeo videoid='123'></lite-vimeo>", "https://vimeo.com/123"),
    (
      "<script src='https://gist.github.com/ada/0123.js'></script>",
      "https://gist.github.com/ada/0123"
    ),
    ("<script src='//static.polldaddy.com/p/77.js'></script>", "https://poll.fm/77"),
    ("<svg role='img' aria-label='Rain in each month'><path/></svg>", "Rain in each month"),
    ("<svg><title>Rain in each month</title><text>5</text></svg>", "Rain in each month"),
  ])
  func `What it shows can be followed or read`(_ html: String, text: String) {
    #expect(markdown(html).contains(text), "\(markdown(html))")
  }

  @Test(arguments: [
    "<noscript>Please enable JavaScript to view the comments.</noscript>",
    "<noscript><img src='https://stats.example.org/p' width=1 height=1 style='display:none'></noscript>",
    "<noscript><iframe src='https://tags.example.org/ns.html' height=0 width=0></iframe></noscript>",
    "<svg width='16' height='16' aria-label='Share this page'><path/></svg>",
    "<svg aria-hidden='true'><title>A little arrow</title></svg>",
    "<script src='https://example.org/a.js'></script>",
    "<lite-youtube videoid='\"><script>'></lite-youtube>",
  ])
  func `What says nothing stays out`(_ html: String) {
    #expect(markdown("<p>a</p>" + html) == "a", "\(markdown(html))")
  }

  @Test(arguments: [
    "<a href=\"/cdn-cgi/l/email-protection#4726232607223f262a372b2269283520\">x</a>",
    "<span class=\"__cf_email__\" data-cfemail=\"4d2c292c0d28352c203d212863223f2a\">[email&#160;protected]</span>",
    "<a href=\"/cdn-cgi/l/email-protection#4d2c292c0d28352c203d212863223f2a\"><span class=\"__cf_email__\" data-cfemail=\"4d2c292c0d28352c203d212863223f2a\">[email&#160;protected]</span></a>",
  ])
  func `An address that Cloudflare hides is shown`(_ html: String) {
    let text = markdown("<p>Write to \(html).</p>")
    #expect(text.contains("ada@ex") && !text.contains("protected"), "\(text)")
  }
}
