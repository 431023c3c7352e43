/// Secret of an account: the password, and with Inoreader the id and the key of an application, which every call
/// has to name. Kept as one text of three lines.
package struct GoogleReaderSecret: Hashable, Sendable {
  package var password: String
  package var application: GoogleReaderApplication?

  package init(password: String, application: GoogleReaderApplication? = nil) {
    self.password = password
    self.application = application
  }

  /// - Parameter text: as it is kept. What is no text of three lines is a password.
  package init(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard lines.count == 3, !lines[1].isEmpty, !lines[2].isEmpty else {
      self.init(password: text)
      return
    }
    self.init(
      password: lines[0], application: GoogleReaderApplication(id: lines[1], key: lines[2]))
  }

  package var text: String {
    application.map { "\(password)\n\($0.id)\n\($0.key)" } ?? password
  }
}

extension GoogleReaderSecret: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  package var description: String { "a secret" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
