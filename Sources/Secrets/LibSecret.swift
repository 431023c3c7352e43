#if !canImport(Security)
  internal import CSecret
  internal import Foundation

  /// libsecret's functions, looked up on first use and kept for good.
  struct LibSecret: Sendable {
    static let shared = open("libsecret-1.so.0")

    let functions: secret_functions

    static func open(_ fileName: String) -> Result<LibSecret, KeyringAbsence> {
      var functions = secret_functions()
      if let missing = secret_functions_open(fileName, &functions) {
        let missing = String(cString: missing)
        return .failure(.noLibrary(what: missing == "the file" ? fileName : missing))
      }
      return .success(LibSecret(functions: functions))
    }
  }

  /// The session bus, as GLib finds it.
  private enum SessionBus {
    /// Whether one runs. Without this question GLib would start one, which nobody would end.
    static func isRunning(_ environment: [String: String]) -> Bool {
      if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty {
        return !address.contains("autolaunch:")
      }
      guard let folder = environment["XDG_RUNTIME_DIR"], !folder.isEmpty else { return false }
      return FileManager.default.fileExists(atPath: folder + "/bus")
    }
  }

  /// Cancels the call that a `KeyringCollection` waits for, from any thread.
  final class KeyringCancellation: Sendable {
    fileprivate let functions: secret_functions
    private let address: UInt

    init() throws(KeyringAbsence) {
      functions = try LibSecret.shared.get().functions
      guard SessionBus.isRunning(ProcessInfo.processInfo.environment) else { throw .noBus }
      address = UInt(bitPattern: functions.cancellable_new())
    }

    deinit { functions.object_unref(pointer) }

    func cancel() { functions.cancellable_cancel(pointer) }

    fileprivate var pointer: UnsafeMutableRawPointer? {
      UnsafeMutableRawPointer(bitPattern: address)
    }

    /// Calls a function of the library, and throws the error that it reports.
    fileprivate func call<Value>(
      _ body: (UnsafeMutablePointer<UnsafeMutablePointer<gerror>?>) -> Value
    ) throws(KeyringAbsence) -> Value {
      var error: UnsafeMutablePointer<gerror>?
      let value = body(&error)
      guard let error else { return value }
      defer { functions.error_free(error) }
      throw .unusable(error.pointee.message.map { String(cString: $0) } ?? "it says not why")
    }
  }

  /// The default collection of the Secret Service, unlocked. Made and used on one thread.
  ///
  /// It is looked up anew each time: its state arrives through an event loop that does not run here.
  final class KeyringCollection {
    private let cancellation: KeyringCancellation
    private let service: UnsafeMutableRawPointer
    private let collection: UnsafeMutableRawPointer

    init(_ cancellation: KeyringCancellation) throws(KeyringAbsence) {
      let functions = cancellation.functions
      // Kept for good, as GLib itself keeps it; else the end of the bus would be the end of us.
      let bus = try cancellation.call {
        functions.bus_get(Int32(secret_bus_session), cancellation.pointer, $0)
      }
      if let bus { functions.bus_set_exit_on_close(bus, 0) }
      let service = try cancellation.call {
        functions.service_open(
          functions.service_type(), nil, Int32(secret_service_open_session), cancellation.pointer,
          $0)
      }
      guard let service else { throw .noAnswer }
      let collection: UnsafeMutableRawPointer?
      do throws(KeyringAbsence) {
        collection = try cancellation.call {
          functions.collection_for_alias(
            service, "default", Int32(secret_collection_none), cancellation.pointer, $0)
        }
        guard let collection else { throw .noCollection }
        guard functions.collection_is_locked(collection) == 0 else {
          functions.object_unref(collection)
          throw .locked
        }
        self.collection = collection
      } catch {
        functions.object_unref(service)
        throw error
      }
      self.service = service
      self.cancellation = cancellation
    }

    deinit {
      functions.object_unref(collection)
      functions.object_unref(service)
    }

    func secret(for name: SecretName) throws(KeyringAbsence) -> Secret? {
      let secrets = try withItems(name, secret_search_load_secrets) { item -> Secret? in
        guard let value = functions.item_secret(item) else { return nil }
        defer { functions.value_unref(value) }
        return functions.value_text(value).map { Secret(String(cString: $0)) }
      }
      return secrets.compactMap(\.self).first
    }

    func store(_ secret: Secret, for name: SecretName) throws(KeyringAbsence) {
      let attributes = attributes(name)
      defer { functions.table_unref(attributes) }
      let value = functions.value_new(secret.text, secret.text.utf8.count, "text/plain")
      defer { functions.value_unref(value) }
      let item = try cancellation.call { error in
        functions.item_create(
          collection, secret_credential_schema(), attributes,
          "Telex: \(name.account) at \(name.origin)", value, Int32(secret_item_replace),
          cancellation.pointer, error)
      }
      if let item { functions.object_unref(item) }
    }

    func remove(_ name: SecretName) throws(KeyringAbsence) {
      try withItems(name) { item throws(KeyringAbsence) in
        _ = try cancellation.call { functions.item_delete(item, cancellation.pointer, $0) }
      }
    }

    // MARK: Talking to the library

    private var functions: secret_functions { cancellation.functions }

    /// Only items of this collection, which needs no unlocking.
    @discardableResult
    private func withItems<Value>(
      _ name: SecretName, _ flags: Int = 0,
      _ body: (UnsafeMutableRawPointer) throws(KeyringAbsence) -> Value
    ) throws(KeyringAbsence) -> [Value] {
      let attributes = attributes(name)
      defer { functions.table_unref(attributes) }
      let list = try cancellation.call { error in
        functions.collection_search(
          collection, secret_credential_schema(), attributes, Int32(secret_search_all | flags),
          cancellation.pointer, error)
      }
      var items: [UnsafeMutableRawPointer] = []
      var next = list
      while let entry = next?.pointee {
        if let item = entry.data { items.append(item) }
        next = entry.next
      }
      defer {
        items.forEach(functions.object_unref)
        functions.list_free(list)
      }
      var values: [Value] = []
      for item in items { values.append(try body(item)) }
      return values
    }

    private func attributes(_ name: SecretName) -> UnsafeMutableRawPointer? {
      var functions = functions
      let attributes = secret_attributes_new(&functions)
      secret_attributes_set(&functions, attributes, "origin", name.origin)
      secret_attributes_set(&functions, attributes, "account", name.account)
      secret_attributes_set(&functions, attributes, "kind", name.kind.rawValue)
      return attributes
    }
  }
#endif
