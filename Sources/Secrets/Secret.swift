/// A password, key or token. It prints as `•••`, however it is printed; only `text` gives it away.
package struct Secret: Sendable, Hashable {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "•••" }
  package var debugDescription: String { "•••" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
