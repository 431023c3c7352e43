internal import Text

extension WebAddress {
  /// The normal form of an address from the user or a list of feeds
  /// (`WebAddress.normalized`).
  ///
  /// - Throws: what to tell the user where it is none.
  package static func entered(_ text: String) throws(SourceError) -> String {
    do {
      return try normalized(text)
    } catch {
      throw SourceError(
        .address, stage: .address, subject: error.subject, message: error.message,
        next: "type an address such as https://example.org/feed")
    }
  }
}
