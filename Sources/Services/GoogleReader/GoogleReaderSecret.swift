internal import HTTP

/// Secret of an account: the password and, for Inoreader, the id and key of an application, which
/// every call needs. Stored as one text of three lines.
package struct GoogleReaderSecret: Hashable, Sendable {
  package var password: String
  package var application: GoogleReaderApplication?

  package init(password: String, application: GoogleReaderApplication? = nil) {
    self.password = password
    self.application = application
  }

  /// - Parameter text: as stored. Any text but three lines is a password.
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

extension GoogleReaderSecret: Redacted {
  package var description: String { "a secret" }
}

/// Key of an application, which Inoreader requires in every call.
package struct GoogleReaderApplication: Hashable, Sendable {
  package var id: String
  package var key: String

  package init(id: String, key: String) {
    self.id = id
    self.key = key
  }
}

extension GoogleReaderApplication: Redacted {
  package var description: String { "application \(id)" }
}
