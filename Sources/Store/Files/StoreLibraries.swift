internal import CZstd
internal import GRDBSQLite

package enum StoreLibraries {
  /// For example `SQLite 3.40.1`.
  package static var versions: [String] {
    [
      "SQLite \(String(cString: sqlite3_libversion()))",
      "zstd \(String(cString: ZSTD_versionString()))",
    ]
  }
}
