internal import Foundation
internal import Requirements
internal import Screen
internal import Testing

@testable import CursesTerminal
@testable import Reader

extension Requirement {
  static let fribidi = libraries([(FriBidi.fileNames, "libfribidi0")])
}

/// Right-to-left articles as the screen shows them, kept as text; `TELEX_RECORD=1` writes the files anew.
@Suite(.needs(.fribidi)) struct DirectionFrameTests {
  private static let sizes = [
    Size(width: 200, height: 60), Size(width: 80, height: 24), Size(width: 40, height: 10),
  ]

  static let hebrew = """
    <h1>מה חדש בגרסה 6.12 של לינוקס</h1>
    <p>הגרסה <b>6.12</b> של <a href="https://kernel.org/">ליבת לינוקס</a> (Linux) יצאה ב־17 בנובמבר, \
    והיא כוללת יותר מ־13,000 שינויים. היא תישמר שנים אחדות (LTS).</p>
    <ul><li>תמיכה בזמן אמת — <code>PREEMPT_RT</code></li><li dir="rtl">sched_ext: מתזמנים ב־BPF</li>\
    <li>An English item stands on its own side</li></ul>
    <blockquote><p>״זו הגרסה הטובה ביותר שלנו״, אמר המפתח.</p><p>ועוד שורה אחת.</p></blockquote>
    <table><tr><th>שם</th><th>שנה</th></tr><tr><td>ליבה 6.6</td><td>2023</td></tr>\
    <tr><td>ליבה 6.12</td><td>2024</td></tr></table>
    <pre><code>make defconfig # הגדרות</code></pre>
    <p>This paragraph is in English, with שלום עולם in it.</p>
    <p dir="rtl">Linux 6.12 היא הגרסה.</p>
    """

  static let arabic = """
    <h2>أخبار اليوم</h2>
    <p>قال <a href="https://example.org/">المتحدث</a> إن السعر ارتفع إلى ١٢٣٫٥٠ درهما (34.20 USD) في عام 2026، \
    وهو أعلى سعر منذ 10 سنوات!</p>
    <ol><li>النقطة الأولى</li><li>النقطة الثانية: <em>Wikipedia</em></li></ol>
    """

  /// Names and codes within sentences of the other direction.
  static let isolates = """
    <ul><li>User <bdi>إيان</bdi>: 3 posts</li><li>User إيان: 3 posts</li>\
    <li>In <span dir="rtl">שלום, world!</span> (twice)</li><li>Turned: <bdo dir="rtl">abc 123</bdo>.</li></ul>
    <p>המשתמש <bdi>C++ (user)</bdi>: 3 הודעות, <code dir="ltr">a = b + 1;</code>, ועוד.</p>
    <p><bdi>שלום</bdi> is a word that begins an English sentence.</p>
    """

  static let thai = """
    <p>ภาษาไทยเป็นภาษาที่มีระดับเสียงของคำแน่นอนหรือวรรณยุกต์เช่นเดียวกับภาษาจีน และออกเสียงแยกคำต่อคำ \
    <a href="https://example.org/">เป็นที่ลำบากของชาวต่างชาติ</a>เนื่องจากการออกเสียงวรรณยุกต์ (Thai) ที่เป็นเอกลักษณ์ของแต่ละคำ</p>
    <p>ພາສາລາວເປັນພາສາທີ່ໃຊ້ໃນປະເທດລາວ ແລະພາກຕາເວັນອອກສຽງເໜືອຂອງໄທ</p>
    <p>ភាសាខ្មែរគឺជាភាសាជាតិរបស់ប្រទេសកម្ពុជា និងជាភាសាដែលមានអ្នកនិយាយច្រើន</p>
    """

  static let scenes: [(name: String, html: String, keys: String)] = [
    ("hebrew", hebrew, ""), ("hebrew-found", hebrew, "/גרסה<Enter>"),
    ("hebrew-hints", hebrew, "f"), ("arabic", arabic, ""),
    ("thai", thai, ""), ("isolates", isolates, ""),
  ]

  static func frame(_ html: String, keys: String, at size: Size) throws -> Frame {
    var session = Session(width: size.width, height: size.height)
    session.arrive([
      Sample.row(3, "מה חדש בגרסה 6.12 של לינוקס (Linux)?", feedTitle: "חדשות התוכנה"),
      Sample.row(2, "أخبار اليوم: السعر 123"), Sample.row(1, "An English title about שלום"),
    ])
    session.send(keys: "<Enter>")
    try session.articleArrives(html: html)
    session.send(keys: keys)
    return session.state.render()
  }

  @Test(arguments: scenes.map(\.name))
  func `An article looks as it was recorded`(_ name: String) throws {
    let library = try #require(FriBidi())
    let scene = try #require(Self.scenes.first { $0.name == name })
    var text = ""
    for size in Self.sizes {
      let shown = try Self.frame(scene.html, keys: scene.keys, at: size).inVisualOrder(
        library.order)
      text += "== \(size.width)×\(size.height)\n\(shown.frame.text)\n"
    }
    let file = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Fixtures/directions/\(name).txt")
    if ProcessInfo.processInfo.environment["TELEX_RECORD"] != nil {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(try text == String(contentsOf: file, encoding: .utf8))
  }

  @Test func `The path of a file is read from the left, whatever its name`() throws {
    let library = try #require(FriBidi())
    var session = Session(width: 80, height: 24)
    session.arrive([Sample.row(1, "שלום")])
    session.send(keys: "<C-s>")
    let shown = session.state.render().inVisualOrder(library.order).frame
    let line = try #require(shown.text.split(separator: "\n").last)
    #expect(line.contains(": ~/םולש.txt"), "\(line)")
  }
}
