@testable import HTTP

enum CurlLibraryProbe {
  static func open(_ fileName: String) -> HTTPError? {
    if case .failure(let error) = CurlLibrary.open(fileName) { error } else { nil }
  }
}
