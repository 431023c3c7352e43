/// Value with a secret, of which only the description is printed, also by accident as in a log.
package protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{}

extension Redacted {
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
