// TestSupport: what tests of more than one target need.

package import Foundation

/// The folder `Fixtures` of the repository.
package let fixtures = URL(filePath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  .appending(path: "Fixtures", directoryHint: .isDirectory)

/// A new folder of a test's own, which the test removes.
package func temporaryFolder() throws -> String {
  let folder = NSTemporaryDirectory() + "telex-tests-\(UUID().uuidString)"
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  return folder
}
