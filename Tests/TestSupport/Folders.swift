// TestSupport: what tests of more than one target need.

package import Foundation

/// The folder `Fixtures` of the repository.
package let fixtures = URL(filePath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  .appending(path: "Fixtures", directoryHint: .isDirectory)

/// The files in a folder of `Fixtures` and in the folders within it, as paths from that folder, sorted.
package func fixtureFiles(in folder: String) -> [String] {
  let path = fixtures.appending(path: folder).path
  return ((try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? []).filter { file in
    var isFolder = ObjCBool(false)
    let exists = FileManager.default.fileExists(atPath: "\(path)/\(file)", isDirectory: &isFolder)
    return exists && !isFolder.boolValue
  }.sorted()
}

/// A new folder of a test's own, which the test removes.
package func temporaryFolder() throws -> String {
  let folder = NSTemporaryDirectory() + "telex-tests-\(UUID().uuidString)"
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  return folder
}
