internal import CZstd
internal import GRDBSQLite

/// The libraries that the store is made with.
package enum StoreLibraries {
  /// Names with the versions that run, as in `SQLite 3.40.1`.
  package static var versions: [String] {
    [
      "SQLite \(String(cString: sqlite3_libversion()))",
      "zstd \(String(cString: ZSTD_versionString()))",
    ]
  }
}
