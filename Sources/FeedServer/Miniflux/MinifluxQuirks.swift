/// The version of a Miniflux, as far as its API shows it.
package struct MinifluxQuirks: Sendable, Hashable {
  /// Since 2.3.2: lists of ids, and stars by `PUT /v1/entries`.
  package var isRecent = true
  /// Entries of one page at most; nil for no bound.
  package var largestPage: Int?
  /// Fails where none of the entries to be marked is there.
  package var failsOnUnknownMarks = false
  /// Whether a service for reading later is set up.
  package var hasSaving = true

  package init() {}

  package static let current: MinifluxQuirks = {
    var quirks = MinifluxQuirks()
    quirks.largestPage = 1_000
    return quirks
  }()

  /// As it was before 2.3.2.
  package static let older: MinifluxQuirks = {
    var quirks = MinifluxQuirks()
    quirks.isRecent = false
    quirks.failsOnUnknownMarks = true
    return quirks
  }()
}
