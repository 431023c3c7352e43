internal import Foundation
internal import Testing

@testable internal import Syndication

private let python = [
  "/usr/bin/python3", "/usr/local/bin/python3", "/opt/homebrew/bin/python3",
].first { FileManager.default.isExecutableFile(atPath: $0) }

/// Archives as Python's zipfile reads them, which is not Telex's own code.
@Suite
struct ZIPTests {
  /// How many files Python finds and can read, and the last one's text; or what it says against the archive.
  private func read(_ path: String) throws -> String {
    let script = """
      import sys, zipfile
      box = zipfile.ZipFile(sys.argv[1])
      names = box.namelist()
      assert box.testzip() is None and len(set(names)) == len(names)
      print(len(names), names[-1], box.read(names[-1]).decode())
      """
    let process = Process()
    process.executableURL = URL(filePath: try #require(python))
    process.arguments = ["-c", script, path]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: output, as: UTF8.self)
  }

  private func withFile(_ body: (_ path: String, _ file: FileHandle) throws -> Void) throws {
    let path = FileManager.default.temporaryDirectory.path() + "/telex-\(UUID()).zip"
    try #require(FileManager.default.createFile(atPath: path, contents: nil))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let file = try #require(FileHandle(forWritingAtPath: path))
    try body(path, file)
  }

  /// Counts around 65,535, which is what stands for more files elsewhere.
  @Test(arguments: [2, 65_534, 65_535, 70_000])
  func `An archive has as many files as there are`(count: Int) throws {
    try withFile { path, file in
      var archive = ZIPWriter()
      var bytes: [UInt8] = []
      for number in 1...count { bytes += try archive.add("a/\(number)", Array("\(number)".utf8)) }
      bytes += archive.end()
      try file.write(contentsOf: Data(bytes))
      try file.close()
      #expect(try read(path) == "\(count) a/\(count) \(count)\n")
      let isLarge = bytes.suffix(100).firstRange(of: Array("PK\u{06}\u{06}".utf8)) != nil
      #expect(isLarge == (count >= 65_535))
    }
  }

  /// What is far behind in a file that has a hole.
  @Test(arguments: [0xFFFF_FFE0, 5 << 30])
  func `An archive goes on behind four gibibytes`(start: Int) throws {
    try withFile { path, file in
      var archive = ZIPWriter(after: start)
      try file.seek(toOffset: UInt64(start))
      let text = String(repeating: "A text. ", count: 40)
      for number in 1...3 {
        try file.write(contentsOf: Data(try archive.add("\(number).txt", Array(text.utf8))))
      }
      try file.write(contentsOf: Data(archive.end()))
      try file.close()
      #expect(try read(path) == "3 3.txt \(text)\n")
    }
  }
}
