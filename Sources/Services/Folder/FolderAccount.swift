internal import Foundation
package import News
internal import Text

extension AccountKind {
  /// A folder that several devices of the user share.
  package static let sharedFolder = AccountKind(rawValue: "folder")
}

extension AccountService {
  package static let folder = AccountService(
    .sharedFolder, [.pages, .takesMarks, .subscriptions, .logs])
}

/// Folder as an account: its feeds are fetched from their own addresses, and logs in the folder
/// keep marks and subscriptions in step with other devices.
struct FolderAccount: AccountSource {
  let account: Account
  let sources: Sources

  var service: AccountService { .folder }

  func pages(of feed: Feed, report: @escaping @Sendable (SourceEvent) -> Void) -> any PageSource {
    LocalAccount(sources: sources).document(of: feed, report: report)
  }

  var logs: (any LogSource)? {
    FolderAddress.path(of: account.base).map(LogFolder.init)
  }
}

/// Address of a folder, as typed and as stored: `file:` and a path.
package enum FolderAddress {
  /// The name of the user in every such account.
  package static let user = "folder"

  /// The address as it is stored; nil without the scheme `file`.
  ///
  /// - Throws: `SourceError` where the path names another device, or nothing.
  package static func normalized(_ typed: String) throws -> String? {
    let typed = typed.trimmingCharacters(in: .whitespaces)
    guard typed.lowercased().hasPrefix("file:") else { return nil }
    var path = String(typed.dropFirst(5))
    if path.hasPrefix("//") {
      let rest = path.dropFirst(2)
      let host = rest.prefix { $0 != "/" }
      guard host.isEmpty || host == "localhost" else {
        throw SourceError(
          .address, stage: .arguments, subject: typed,
          message: "this is a folder of another machine",
          next: "give the path of the folder on this one: file:/path")
      }
      path = String(rest.dropFirst(host.count)).removingPercentEncoding ?? String(rest)
    }
    guard !path.isEmpty, PlainText.sanitizedName(path) == path else {
      throw SourceError(
        .address, stage: .arguments, subject: typed, message: "this is not the path of a folder",
        next: "write it like file:~/Sync")
    }
    let full = (path as NSString).expandingTildeInPath
    return URL(filePath: full, directoryHint: .notDirectory).standardizedFileURL.absoluteString
  }

  package static func signIn(at address: String, account: AccountID? = nil) -> SignIn {
    SignIn(origin: address, user: user, scheme: .folder(base: address), account: account)
  }

  package static func path(of address: String) -> String? {
    guard address.hasPrefix("file:") else { return nil }
    return URL(string: address)?.path(percentEncoded: false)
  }

  /// Prepares the folder for the logs of this device.
  ///
  /// - Throws: `SourceError` where it is missing or cannot be written.
  package static func prepare(_ address: String) async throws {
    guard let path = path(of: address) else { return }
    try await LogFolder(path: path).prepare()
  }
}
