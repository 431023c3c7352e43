// Servers on loopback that speak TLS: `TLSServer` is one, `TLSIdentity` a key with its certificate.

package import ChildProcess
package import Foundation
internal import Requirements
internal import Synchronization

/// `openssl s_server` with a certificate of its own making, for localhost.
package final class TLSServer {
  package let port: Int
  package let identity: TLSIdentity
  private let process: ChildProcess
  /// Pipes that it reads from.
  private let held = Mutex<[FileHandle]>([])

  package var certificate: String { identity.certificate }
  package var url: String { "https://localhost:\(port)/" }

  /// - Parameters:
  ///   - options: more of `s_server`.
  ///   - document: what `/document` answers with; a page about the connection answers elsewhere
  ///     where it is nil.
  ///   - subject, names: of the certificate, see `TLSIdentity`.
  package init(
    _ options: [String] = [], _ validity: TLSIdentity.Validity = .now,
    document: (type: String, text: String)? = nil, subject: String = "/CN=localhost",
    names: String = "DNS:localhost"
  ) async throws {
    identity = try await TLSIdentity(validity, subject: subject, names: names)
    if let document {
      let head = "HTTP/1.1 200 OK\r\nContent-Type: \(document.type)\r\nConnection: close\r\n\r\n"
      try Data((head + document.text).utf8).write(to: identity.folder.appending(path: "document"))
    }
    process = try ChildProcess(
      try TLSIdentity.program(),
      [
        "s_server", "-accept", "0", "-cert", identity.certificate, "-key", identity.key,
        document == nil ? "-www" : "-HTTP",
      ] + options, in: identity.folder.path)
    // It says "ACCEPT 0.0.0.0:39999" once it listens.
    var found: Int?
    while found == nil, process.isRunning {
      let line = process.output.split(separator: "\n").dropLast(0).first { $0.hasPrefix("ACCEPT ") }
      found = line.flatMap { $0.split(separator: ":").last }.flatMap { Int($0) }
      try await Task.sleep(for: .milliseconds(3))
    }
    guard let found else { throw TLSIdentity.Failure(description: process.errors) }
    port = found
  }

  /// Lets `/name` answer with this from now on; for a server with a document.
  package func put(
    _ name: String, status: Int = 200, type: String = "application/octet-stream",
    fields: String = "", _ body: String
  ) throws {
    let head = "HTTP/1.1 \(status) Said\r\nContent-Type: \(type)\r\n\(fields)"
    let text = head + "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n" + body
    try Data(text.utf8).write(to: identity.folder.appending(path: name))
  }

  /// Lets `/name` answer with this from now on, to its last byte, as one that has more to come; for a
  /// server with a document.
  ///
  /// - Parameter pieces: of the body: how often 16 KiB of it come.
  package func hold(_ name: String, status: Int = 200, pieces: Int) throws {
    // It is read in such blocks.
    let block = 16 << 10
    let head = "HTTP/1.1 \(status) Said\r\nContent-Type: text/plain\r\n\r\n"
    let path = identity.folder.appending(path: name).path
    guard mkfifo(path, 0o600) == 0 else { throw TLSIdentity.Failure(description: "no pipe") }
    let pipe = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    held.withLock { $0.append(FileHandle(fileDescriptor: pipe, closeOnDealloc: true)) }
    let bytes =
      Array(head.utf8)
      + Array(repeating: UInt8(ascii: "x"), count: block * pieces - head.utf8.count)
    guard write(pipe, bytes, bytes.count) == bytes.count else {
      throw TLSIdentity.Failure(description: "the pipe takes no \(bytes.count) bytes")
    }
  }

  /// Ends it at once: its connections are closed without a word.
  package func kill() { process.kill() }

  /// How it ends by itself; nil where it does not.
  package func end() async -> ProcessEnding? { await process.end() }
}

/// A key for localhost and its certificate, signed by itself; both files are gone with the value.
package final class TLSIdentity {
  package enum Validity: Sendable {
    case now, past, future
  }

  /// openssl is missing, or did not do what it was asked for.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  package let folder: URL
  package let certificate: String
  package let key: String

  /// - Parameters:
  ///   - subject: as openssl's `-subj` takes it, in UTF-8.
  ///   - names: the names that it is valid for, as openssl's `subjectAltName` takes them.
  package init(
    _ validity: Validity = .now, subject: String = "/CN=localhost",
    names: String = "DNS:localhost"
  ) async throws {
    folder = FileManager.default.temporaryDirectory.appending(
      path: "telex-tls-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    certificate = folder.appending(path: "cert.pem").path
    key = folder.appending(path: "key.pem").path
    let new = [
      "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", key,
      "-utf8", "-subj", subject, "-addext", "subjectAltName=\(names)",
    ]
    switch validity {
    case .now: try await openssl(new + ["-x509", "-days", "2", "-out", certificate])
    case .past: try await sign(new, from: "20200101000000Z", to: "20210101000000Z")
    case .future: try await sign(new, from: "20980101000000Z", to: "20990101000000Z")
    }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The pin of a certificate, as `Docs/Security.md` shows how to compute it.
  package func pin() async throws -> String {
    let line = """
      openssl x509 -pubkey -noout -in "$1" | openssl pkey -pubin -outform der |
        openssl dgst -sha256 -binary | base64
      """
    let process = try ChildProcess("/bin/sh", ["-c", line, "sh", certificate])
    let ending = await process.end()
    guard ending == .exited(0) else { throw Failure(description: process.errors) }
    return process.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Signs for a time that is not now, which only `openssl ca` does.
  private func sign(_ new: [String], from start: String, to end: String) async throws {
    let request = folder.appending(path: "request.pem").path
    let settings = folder.appending(path: "ca.cnf")
    try Data().write(to: folder.appending(path: "index.txt"))
    try Data(
      """
      [ca]
      default_ca = own
      [own]
      database = \(folder.path)/index.txt
      new_certs_dir = \(folder.path)
      default_md = sha256
      policy = any
      copy_extensions = copy
      rand_serial = yes
      [any]
      commonName = supplied
      """.utf8
    ).write(to: settings)
    try await openssl(new + ["-out", request])
    try await openssl([
      "ca", "-batch", "-config", settings.path, "-selfsign", "-keyfile", key, "-in", request,
      "-out", certificate, "-notext", "-startdate", start, "-enddate", end,
    ])
  }

  private func openssl(_ arguments: [String]) async throws {
    let process = try ChildProcess(try Self.program(), arguments)
    let ending = await process.end()
    guard ending == .exited(0) else { throw Failure(description: process.errors) }
  }
  fileprivate static func program() throws -> String {
    guard let path = Program.path(of: "openssl") else {
      throw Failure(description: "openssl is not installed")
    }
    return path
  }
}
