internal import Foundation
internal import News
internal import Reader

/// The draft of a comment in a file beside the store, which survives a crash, a failing editor and
/// an unwritable store. Only the user can read it.
///
/// Below the scissors line is the quoted text, which is not sent.
struct DraftFile: Sendable {
  let path: String
  private let draft: CommentDraft
  private let folder: String

  private static let scissors = "# -------- what is below this line is not sent --------"
  /// Larger files are no comments, in bytes.
  private static let mostBytes = 1 << 20

  init(_ draft: CommentDraft, store: String) {
    self.draft = draft
    folder = store + "/drafts"
    let name =
      draft.waiting.map { "waiting-\($0.id)" }
      ?? draft.changed.map { "change-\(draft.article.rawValue)-\(Self.digest(of: $0.id))" }
      ?? "comment-\(draft.article.rawValue)"
      + (draft.parent.map { "-" + Self.digest(of: $0) } ?? "")
    path = "\(folder)/\(name).txt"
  }

  /// Opens the editor.
  ///
  /// - Parameter stop: stops this program together with the editor.
  /// - Returns: the text; nil for none.
  /// - Throws: `SourceError` where the file or the editor fails; the draft stays.
  func edit(stop: () -> Void) throws -> String? {
    if try text() == nil { try write() }
    guard try TextEditor.edit(path, stop: stop) else { throw try TextEditor.failure(next: kept) }
    return try text()
  }

  func discard() { unlink(path) }

  /// The advice after a failure.
  var kept: String {
    "nothing is sent; what you wrote is in \(path), and the same key brings it back"
  }

  // MARK: The file

  private func write() throws {
    var lines = [draft.waiting?.text ?? draft.changed?.text ?? "", "", Self.scissors]
    lines.append("# " + (draft.parent == nil ? "On: " : "Answering: ") + draft.subject)
    lines.append("# Without a text nothing is sent.")
    lines += draft.quoted.split(separator: "\n", omittingEmptySubsequences: false).map {
      $0.isEmpty ? "#" : "# \($0)"
    }
    mkdir(folder, 0o700)
    SmallFile.write(lines.joined(separator: "\n") + "\n", to: path)
    guard access(path, R_OK) == 0 else {
      throw SmallFile.unwritten(path, errno)
    }
  }

  /// The text above the scissors line; nil for none.
  private func text() throws -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      if errno == ENOENT { return nil }
      throw failure(
        "what you wrote cannot be read: \(String(cString: strerror(errno)))",
        next: "check the permissions of the file and its disk; the same key brings it back")
    }
    let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
    let bytes = try handle.read(upToCount: Self.mostBytes + 1) ?? Data()
    guard bytes.count <= Self.mostBytes else {
      throw failure("this is too long for a comment", next: kept)
    }
    return Self.text(in: String(decoding: bytes, as: UTF8.self))
  }

  /// The text above the scissors line; nil for none.
  ///
  /// - Parameter draft: with any line ends.
  static func text(in draft: String) -> String? {
    let lines = draft.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .prefix { $0.trimmingCharacters(in: .whitespaces) != scissors }
    let text = lines.joined(separator: "\n").trimmingCharacters(in: .whitespacesAndNewlines)
    return text.isEmpty ? nil : text
  }

  private func failure(_ message: String, next: String) -> SourceError {
    SourceError(.file, stage: .config, subject: path, message: message, next: next)
  }

  /// FNV-1a, since ids may have any characters and any length.
  private static func digest(of id: String) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in id.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return String(hash, radix: 16)
  }
}
