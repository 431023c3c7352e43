/// A password on its way from the keys to the one who signs in; prints as dots.
package struct TypedSecret: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package var description: String { "•••" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
