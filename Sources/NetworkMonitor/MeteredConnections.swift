internal import Foundation

/// The library that tells whether the connection is metered.
package enum MeteredConnections {
  /// Its name; nil where the system needs none.
  package static var library: String? {
    #if os(Linux)
      "GLib"
    #else
      nil
    #endif
  }

  /// Opens it, for good.
  package static var isLibraryInstalled: Bool {
    #if os(Linux)
      dlopen(NetworkManagerQuestion.library, RTLD_LAZY) != nil
    #else
      false
    #endif
  }
}
