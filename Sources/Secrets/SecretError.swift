/// Error of reading or keeping a secret, in the parts that a person can act on. Holds no secret, and of a program's
/// output only a line of its standard error.
package struct SecretError: Error, Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    /// The name of the secret is not one of an origin.
    case name
    /// Others than the user may read the file or its folder.
    case permissions
    /// The file or its folder cannot be made, read or written.
    case file
    /// The file is not what Telex writes.
    case damaged
    /// Another process keeps the file to itself.
    case busy
    /// The file does not have the secret, and the keyring that may have it is locked or does not answer.
    case away
    /// The file does not have the secret, and there is no way from here to a keyring that may have it.
    case unreachable
    /// The template of a command cannot be used.
    case template
    /// A value cannot be filled into the template.
    case value
    /// The command could not be started, failed, or printed nothing that can be used.
    case command
    /// The command took too long and was ended.
    case timeout
  }

  /// Whether a keyring may have a secret that was not found.
  package var isOfAbsence: Bool { kind == .away || kind == .unreachable }

  package var kind: Kind
  /// A file, a folder, a program or a setting.
  package var subject: String
  /// A plain sentence without the subject.
  package var message: String
  package var next: String
  /// The last line of a command's standard error, to be sanitised before it is shown.
  package var printed: String?

  package init(_ kind: Kind, subject: String, message: String, next: String) {
    self.kind = kind
    self.subject = subject
    self.message = message
    self.next = next
  }
}
