internal import Foundation

/// The library by which this machine is asked whether its connection costs.
package enum MeteredConnections {
  /// Its name; nil where the system answers without one.
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
