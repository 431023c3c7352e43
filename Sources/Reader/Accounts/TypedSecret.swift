/// Password that the user is entering, on its way to the sign-in. Prints as dots, so that no log
/// contains it.
package struct TypedSecret: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package var description: String { "•••" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
