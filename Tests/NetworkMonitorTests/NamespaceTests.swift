#if os(Linux)
  import ChildProcess
  import Requirements
  import Testing

  /// A machine whose network comes and goes: a network namespace of the test's own, whose links the
  /// test makes and takes away with iproute2.
  @Suite(.needs(.networkNamespace))
  struct NamespaceTests {
    @Test(arguments: [("free", "online"), ("metered", "metered"), ("unknown", "online")])
    func `The states follow the links, for every observer`(cost: String, name: String) async throws
    {
      let machine = try Machine(cost: cost)
      #expect(await machine.says(["offline"]))
      // A loopback is no network.
      try await machine.ip("link set lo up")
      // The other end of the cable is in the same machine.
      try await machine.ip("link add eth0 type veth peer name eth1")
      try await machine.ip("link set eth0 up")
      try await machine.ip("addr add 192.0.2.5/24 dev eth0")
      try await machine.ip("link set eth1 up")
      #expect(await machine.says(["offline", name]))
      try await machine.ip("route add default via 192.0.2.1")
      // The cable is pulled: address and route are still there, the carrier is not.
      try await machine.ip("link set eth1 down")
      #expect(await machine.says(["offline", name, "offline"]))
      try await machine.ip("link set eth1 up")
      #expect(await machine.says(["offline", name, "offline", name]))
      try await machine.ip("link del eth0")
      #expect(await machine.says(["offline", name, "offline", name, "offline"]))
      // An observer who comes is told what is the case; one who goes leaves nothing behind.
      machine.watcher.closeInput()
      #expect(await machine.watcher.end() == .exited(0))
      #expect(machine.watcher.output.hasSuffix("nothing left of 2\n"), "\(machine.watcher.output)")
    }

    @Test func `Only IPv6 is a network too`() async throws {
      let machine = try Machine(cost: "unknown")
      #expect(await machine.says(["offline"]))
      try await machine.ip("link add eth0 type veth peer name eth1")
      try await machine.ip("link set eth1 up")
      try await machine.ip("link set eth0 up")
      try await machine.ip("-6 addr add 2001:db8::5/64 dev eth0 nodad")
      #expect(await machine.says(["offline", "online"]))
    }

    @Test func `A default route alone is a network too`() async throws {
      let machine = try Machine(cost: "unknown")
      #expect(await machine.says(["offline"]))
      try await machine.ip("link add eth0 type veth peer name eth1")
      try await machine.ip("link set eth1 up")
      try await machine.ip("link set eth0 up")
      try await machine.ip("route add default dev eth0")
      #expect(await machine.says(["offline", "online"]))
      try await machine.ip("route del default dev eth0")
      #expect(await machine.says(["offline", "online", "offline"]))
    }

    @Test func `A flood of changes ends at what is the case`() async throws {
      let machine = try Machine(cost: "unknown")
      #expect(await machine.says(["offline"]))
      try await machine.ip("link add eth0 type veth peer name eth1")
      try await machine.ip("link set eth1 up")
      try await machine.ip("link set eth0 up")
      // Thousands of addresses come and go, faster than anybody could listen.
      let flood = """
        i=0; while [ $i -lt 2000 ]; do
          n="10.$((i / 250)).$((i % 250)).1/32"
          echo "addr add $n dev eth0"; echo "addr del $n dev eth0"; i=$((i + 1))
        done | ip -batch -
        """
      try await machine.run("sh", ["-c", flood])
      try await machine.ip("addr add 192.0.2.5/24 dev eth0")
      #expect(await machine.ends(with: "online"))
      try await machine.ip("addr del 192.0.2.5/24 dev eth0")
      #expect(await machine.ends(with: "offline"))
    }
  }

  /// A network namespace with two observers in it.
  private struct Machine: ~Copyable {
    let watcher: ChildProcess

    struct Failure: Error { let errors: String }

    init(cost: String) throws {
      watcher = try ChildProcess(
        "unshare", ["-rn", BuiltProduct.path(of: "network-watcher"), cost], input: .held)
    }

    borrowing func ip(_ words: String) async throws {
      try await run("ip", words.split(separator: " ").map(String.init))
    }

    borrowing func run(_ program: String, _ arguments: [String]) async throws {
      // `unshare` and `env` become the program they start: its number is the namespace's.
      let process = try ChildProcess(
        "nsenter",
        ["--preserve-credentials", "-U", "-n", "-t", "\(watcher.identifier)", program]
          + arguments)
      guard await process.end() == .exited(0) else { throw Failure(errors: process.errors) }
    }

    /// Whether each of the two comes to have said just that.
    borrowing func says(_ states: [String]) async -> Bool {
      await comes { heard(by: 1) == states && heard(by: 2) == states }
    }

    borrowing func ends(with state: String) async -> Bool {
      await comes { heard(by: 1).last == state && heard(by: 2).last == state }
    }

    private borrowing func heard(by observer: Int) -> [String] {
      watcher.output.split(separator: "\n").filter { $0.hasPrefix("\(observer) ") }
        .map { String($0.dropFirst(2)) }
    }

    private borrowing func comes(_ condition: () -> Bool) async -> Bool {
      let end = ContinuousClock.now + .seconds(60)
      while ContinuousClock.now < end {
        if condition() { return true }
        try? await Task.sleep(for: .milliseconds(5))
      }
      return false
    }
  }
#endif
