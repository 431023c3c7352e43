internal import ArgumentParser
internal import Foundation
internal import News
internal import TelexKit

/// The target of a document: standard output, or a file that is written whole or not at all.
struct OutputTarget {
  /// Nil for standard output.
  let path: String?

  /// - Parameter path: `-` stands for standard output.
  init(_ path: String?) { self.path = path == "-" ? nil : path }

  /// - Parameter isText: whether a terminal can show it.
  func write(isText: Bool, _ work: (_ output: ([UInt8]) throws -> Void) throws -> Void) throws {
    guard let path else {
      guard isText || isatty(STDOUT_FILENO) == 0 else {
        throw SourceError(
          .file, stage: .arguments, subject: "", message: "a book is no text for a terminal",
          next: "name a file with --output")
      }
      // `print` removes control characters.
      return try work {
        isText ? Output.print(String(decoding: $0, as: UTF8.self)) : Output.bytes($0)
      }
    }
    var file = try OutputFile(path, replacing: true)
    try work { try file.write($0) }
    try file.finish()
  }
}
