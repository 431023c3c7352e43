#if os(Linux)
  internal import CNetlink
  internal import Dispatch
  internal import Foundation
  internal import News
  internal import Synchronization

  /// Performs on a socket, in a thread of its own, what `NetlinkWatch` decides.
  final class NetlinkThread: Sendable {
    private let mailbox: Mailbox

    /// - Parameters:
    ///   - isMetered: called on a thread of Dispatch, one call at a time.
    ///   - tell: called on the watch's thread.
    init(
      isMetered: @escaping @Sendable () -> Bool?, tell: @escaping @Sendable (Connectivity) -> Void
    ) {
      let mailbox = Mailbox()
      self.mailbox = mailbox
      let thread = Thread {
        var loop = NetlinkLoop(mailbox: mailbox, isMetered: isMetered, tell: tell)
        loop.run()
      }
      thread.name = "telex.network"
      thread.stackSize = 512 << 10
      thread.start()
    }

    /// Returns at once; the thread and its socket are gone soon after.
    func stop() { mailbox.stop() }
  }

  /// Messages to the thread while it waits.
  private final class Mailbox: Sendable {
    struct Letters {
      var isStopped = false
      /// The answer to the question whether the network is metered.
      var metering: Bool??
    }

    /// Readable while there are letters.
    let bell = telex_wake_open()
    private let letters = Mutex(Letters())

    deinit { if bell >= 0 { close(bell) } }

    func stop() { put { $0.isStopped = true } }

    func put(metering: Bool?) { put { $0.metering = .some(metering) } }

    func take() -> Letters {
      var count: UInt64 = 0
      _ = read(bell, &count, MemoryLayout.size(ofValue: count))
      return letters.withLock { letters in
        defer { letters.metering = nil }
        return letters
      }
    }

    private func put(_ change: (inout Letters) -> Void) {
      letters.withLock { change(&$0) }
      var one: UInt64 = 1
      _ = write(bell, &one, MemoryLayout.size(ofValue: one))
    }
  }

  /// The loop of the watch's thread.
  private struct NetlinkLoop {
    /// The kernel's dumps come in datagrams of at most 32 KiB.
    private static let largestDatagram = 64 << 10

    let mailbox: Mailbox
    let isMetered: @Sendable () -> Bool?
    let tell: @Sendable (Connectivity) -> Void
    var watch = NetlinkWatch()
    var buffer = [UInt8](repeating: 0, count: Self.largestDatagram)
    mutating func run() {
      let socket = telex_netlink_open()
      // Containers and sandboxes may forbid it: nothing will be known here.
      guard socket >= 0, mailbox.bell >= 0 else {
        if socket >= 0 { close(socket) }
        return tell(.unknown)
      }
      defer { close(socket) }
      serve(socket)
    }

    private mutating func serve(_ socket: Int32) {
      perform(watch.started(), on: socket)
      while true {
        var polled = [
          pollfd(fd: socket, events: Int16(POLLIN), revents: 0),
          pollfd(fd: mailbox.bell, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&polled, 2, milliseconds(until: watch.wakeUp)) >= 0 || errno == EINTR else {
          return perform(watch.failed(), on: socket)
        }
        let letters = mailbox.take()
        if letters.isStopped { return }
        if let metering = letters.metering {
          perform(watch.learned(metering, at: .now), on: socket)
        }
        guard drain(socket) else { return perform(watch.failed(), on: socket) }
        perform(watch.passed(at: .now), on: socket)
      }
    }

    /// False when the socket is of no more use.
    private mutating func drain(_ socket: Int32) -> Bool {
      while true {
        let count = telex_netlink_receive(socket, &buffer, buffer.count)
        switch -count {
        case Int(EAGAIN): return true
        // What came too fast is lost: everything is asked for again.
        case Int(ENOBUFS): perform(watch.missedSomething(at: .now), on: socket)
        case 1...: return false
        default:
          let (messages, isWhole) = NetlinkMessage.parse(Array(buffer[..<count]))
          perform(watch.received(messages, at: .now), on: socket)
          if !isWhole { perform(watch.missedSomething(at: .now), on: socket) }
        }
      }
    }

    private mutating func perform(_ actions: [NetlinkWatch.Action], on socket: Int32) {
      for action in actions {
        switch action {
        case .ask(let dump, let sequence):
          if telex_netlink_dump(socket, dump.type, sequence) < 0 {
            perform(watch.failed(), on: socket)
          }
        case .askWhetherMetered:
          // A bus that hangs holds up neither this thread nor one of Swift's own.
          DispatchQueue.global(qos: .utility).async { [mailbox, isMetered] in
            mailbox.put(metering: isMetered())
          }
        case .tell(let connectivity): tell(connectivity)
        }
      }
    }

    private func milliseconds(until instant: ContinuousClock.Instant?) -> Int32 {
      guard let instant else { return -1 }
      let (seconds, attoseconds) = ContinuousClock.now.duration(to: instant).components
      return Int32(clamping: max(0, seconds * 1_000 + attoseconds / 1_000_000_000_000_000 + 1))
    }
  }

  extension NetlinkDump {
    fileprivate var type: UInt16 {
      switch self {
      case .links: UInt16(RTM_GETLINK)
      case .addresses: UInt16(RTM_GETADDR)
      case .routes: UInt16(RTM_GETROUTE)
      }
    }
  }
#endif
