internal import Foundation
internal import News
internal import Screen
internal import Testing

@testable import Reader

/// Every state of the screen as it looks, kept as text; `TELEX_RECORD=1` writes the files anew.
struct FrameTests {
  @Test(arguments: Scene.all)
  func `A scene looks as it was recorded`(_ scene: Scene) throws {
    var text = ""
    for size in scene.sizes {
      let state = try scene.state(at: size)
      text += "== \(size.width)×\(size.height)\n\(state.render().text)\n"
    }
    let file = Self.folder.appending(path: "\(scene.name).txt")
    if ProcessInfo.processInfo.environment["TELEX_RECORD"] != nil {
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
    let recorded = try String(contentsOf: file, encoding: .utf8)
    #expect(text == recorded)
  }

  @Test func `Every recorded frame belongs to a scene`() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    #expect(Set(files) == Set(Scene.all.map { "\($0.name).txt" }))
  }

  private static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Fixtures/frames")
}
