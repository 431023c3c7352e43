internal import Foundation
internal import Reader
internal import Synchronization

/// Addresses on the ordinary screen, where the terminal wraps them and can select, click and open
/// each as a whole, as hyperlinks where it supports OSC 8.
enum PlainPage {
  /// Shows addresses until a key is pressed.
  ///
  /// - Parameter hasHyperlinks: whether the terminal ignores sequences that it does not know.
  static func show(_ addresses: [ShownAddress], hasHyperlinks: Bool) {
    var text = "\r\n"
    for address in addresses {
      text += printed(address.label) + "\r\n"
      // Hyperlinks are ASCII (RFC 3986); other addresses are shown without one.
      let isLinked = hasHyperlinks && address.url.utf8.allSatisfy { (0x21...0x7E).contains($0) }
      let shown = printed(address.url)
      text += isLinked ? "\u{1B}]8;;\(shown)\u{1B}\\\(shown)\u{1B}]8;;\u{1B}\\" : shown
      text += "\r\n\r\n"
    }
    write(text + "A key goes back to the article. ")
    waitForKey()
    write("\r\n")
  }

  private static func printed(_ label: String) -> String {
    String(label.unicodeScalars.filter { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
  }

  private static func write(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(1, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  private struct Waiting {
    /// A byte written here ends the page.
    var pipe: Int32?
    var isEnded = false
  }

  private static let waiting = Mutex(Waiting())

  /// Ends this page and later ones, since the program ends. Safe on any thread.
  static func end() {
    waiting.withLock { waiting in
      waiting.isEnded = true
      if let pipe = waiting.pipe { _ = Foundation.write(pipe, "\n", 1) }
    }
  }

  /// Waits for a byte without echo, or the end of the terminal or the program.
  private static func waitForKey() {
    var modes = termios()
    guard tcgetattr(0, &modes) == 0 else { return }
    var raw = modes
    // Ctrl-C and Ctrl-Z are keys like any other: they must not end the reader.
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
    tcsetattr(0, TCSADRAIN, &raw)
    waitForInput()
    tcsetattr(0, TCSAFLUSH, &modes)
  }

  private static func waitForInput() {
    guard let ends = Spawn.pipe() else { return }
    let isEnded = waiting.withLock { waiting in
      waiting.pipe = ends.write
      return waiting.isEnded
    }
    defer {
      waiting.withLock { $0.pipe = nil }
      close(ends.read)
      close(ends.write)
    }
    if isEnded { return }
    var wanted = [0, ends.read].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while poll(&wanted, nfds_t(wanted.count), -1) < 0, errno == EINTR {}
  }
}
