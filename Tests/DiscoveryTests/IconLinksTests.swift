import Discovery
import Testing

@Suite struct IconLinksTests {
  private func find(_ html: String) -> [String] {
    IconLinks.find(in: Array(html.utf8), base: "https://e.org/dir/page")
  }

  @Test func `The icon that is least larger than needed comes first`() {
    let html = """
      <link rel="stylesheet icon-like" href="/s.css">
      <link rel="icon" sizes="16x16" href="/16.png">
      <link rel="apple-touch-icon" href="/touch.png">
      <link rel="icon" sizes="any" type="image/svg+xml" href="/vector">
      <link rel="mask-icon" href="/mask.svg"><link rel="icon" href="/vector.svg?v=2">
      <LINK REL='Shortcut Icon' HREF='plain.ico?a=1&amp;b=2'>
      <link rel="icon" sizes="192X192" href="/192.png"><link rel="icon" sizes="32x32" href="/32.png">
      <link rel="icon" href="data:image/png;base64,AA"><link rel="icon" href="javascript:1">
      """
    #expect(
      find(html).map { $0.replacing("https://e.org/", with: "") }
        == ["32.png", "dir/plain.ico?a=1&b=2", "touch.png", "192.png", "16.png"])
  }

  @Test func `The page's base counts, and only its head`() {
    let html = """
      <base href="/other/"><link rel=icon href=a.png></head>
      <body><link rel=icon href=b.png>
      """
    #expect(find(html) == ["https://e.org/other/a.png"])
  }
}
