internal import ArgumentParser
internal import Foundation
internal import News

/// Questions at the terminal, independent of standard input and output.
struct TerminalPrompt {
  static func line(_ question: String) throws -> String { try answer(question) ?? "" }

  /// Reads a line; nil at the end of the input (Ctrl-D).
  static func answer(_ question: String) throws -> String? {
    let terminal = try open()
    defer { close(terminal) }
    say(Output.clean(question), on: terminal)
    var bytes: [UInt8] = []
    while true {
      guard let byte = next(on: terminal) else {
        if bytes.isEmpty { return nil }
        break
      }
      if byte == 10 || byte == 13 { break }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespaces)
  }

  /// Whether the answer is yes. The end of the input means no.
  static func isYes(_ question: String) throws -> Bool {
    try line(question).lowercased().hasPrefix("y")
  }

  /// Reads a line that is shown as dots. Backspace and Ctrl-U work. The mode of the terminal is
  /// restored in any case.
  ///
  /// - Throws: `ExitCode` 130 after Ctrl-C and at the end of the input.
  static func secret(_ question: String) throws -> String {
    let terminal = try open()
    defer { close(terminal) }
    var modes = termios()
    guard tcgetattr(terminal, &modes) == 0 else { throw noTerminal }
    var raw = modes
    // Without signals from keys: one that ended the program would leave the echo off.
    raw.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
    tcsetattr(terminal, TCSAFLUSH, &raw)
    defer {
      tcsetattr(terminal, TCSAFLUSH, &modes)
      say("\n", on: terminal)
    }
    say(Output.clean(question), on: terminal)
    var bytes: [UInt8] = []
    func erase() {
      // Also the continuation bytes of a character.
      while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
      say("\u{8} \u{8}", on: terminal)
    }
    while let byte = next(on: terminal) {
      switch byte {
      case 10, 13: return String(decoding: bytes, as: UTF8.self)
      case 3: throw ExitCode(130)
      case 4 where bytes.isEmpty: throw ExitCode(130)
      case 8, 127: if !bytes.isEmpty { erase() }
      case 21: while !bytes.isEmpty { erase() }
      case 0..<32: break
      default:
        bytes.append(byte)
        if byte & 0xC0 != 0x80 { say("•", on: terminal) }
      }
    }
    throw ExitCode(130)
  }

  private static func open() throws -> Int32 {
    let terminal = Foundation.open("/dev/tty", O_RDWR | O_CLOEXEC)
    guard terminal >= 0 else { throw noTerminal }
    return terminal
  }

  private static func next(on terminal: Int32) -> UInt8? {
    var byte: UInt8 = 0
    while true {
      let count = read(terminal, &byte, 1)
      if count == 1 { return byte }
      guard count < 0, errno == EINTR else { return nil }
    }
  }

  private static func say(_ text: String, on terminal: Int32) {
    var text = text
    text.withUTF8 { _ = write(terminal, $0.baseAddress, $0.count) }
  }

  private static var noTerminal: SourceError {
    .arguments(
      "the terminal", "there is no terminal to ask at",
      next: "give --user, and the password on standard input with --password-stdin")
  }
}
