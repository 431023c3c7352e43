/// The flags of an article, `A` to `Z` and `a` to `z`.
package enum NewsboatFlags {
  /// The tag that a flag becomes. Names of tags differ by more than the case of their letters.
  package static func tag(of flag: Character) -> String {
    flag.isUppercase ? "flag-upper-\(flag.lowercased())" : "flag-\(flag)"
  }
}
