import Foundation
import Testing

/// Packages have to name what the program opens at run time, for no tool finds it.
@Suite struct OpenedLibraryTests {
  @Test func `Every library that the sources open is in the list of packages`() throws {
    let list = try String(
      contentsOfFile: projectFolder + "/Tools/packages/opened-libraries", encoding: .utf8)
    let rows = list.split(separator: "\n").filter { !$0.hasPrefix("#") }
      .map { $0.split(separator: " ").map(String.init) }
    for row in rows {
      #expect(row.count == 6, "\(row)")
      #expect(["depends", "recommends"].contains(row[1]))
    }
    let sources = URL(filePath: projectFolder + "/Sources")
    let files = try #require(
      FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    var opened: Set<String> = []
    for case let file as URL in files where ["swift", "h"].contains(file.pathExtension) {
      let text = try String(contentsOf: file, encoding: .utf8)
      opened.formUnion(text.matches(of: #/"(lib[\w.-]+\.so\.\d+)"/#).map { String($0.1) })
    }
    #expect(opened == Set(rows.map { $0[0] }))
  }
}
