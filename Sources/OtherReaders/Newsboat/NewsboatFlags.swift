/// Flags of articles, `A` to `Z` and `a` to `z`.
package enum NewsboatFlags {
  /// Names of tags are case-insensitive.
  package static func tag(of flag: Character) -> String {
    flag.isUppercase ? "flag-upper-\(flag.lowercased())" : "flag-\(flag)"
  }
}
