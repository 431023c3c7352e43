/// How many elements of some kinds are in each element of a page, each read in one step.
struct ElementCounts {
  enum Kind: Int {
    case item
    /// Fields to write in or to choose from, without boxes to tick.
    case input
    case mail
    case block
    /// Code, formulas, sounds, films and frames.
    case code
    case time
    /// Headings below the first level.
    case subheading
    case button
  }

  /// Sums before each node, a place for each kind; the last ones are those of the page.
  private var sums: [SIMD8<Int32>] = []

  /// - Parameter isDropped: nodes that are left out. Those count as blocks and fields only.
  init(_ nodes: [HTMLPage.Node], isDropped: [Bool]) {
    sums.reserveCapacity(nodes.count + 1)
    var sum = SIMD8<Int32>()
    sums.append(sum)
    func add(_ kind: Kind, if isKind: Bool = true) { if isKind { sum[kind.rawValue] += 1 } }
    for (index, node) in nodes.enumerated() {
      if !node.name.isEmpty {
        let isKept = !isDropped[index]
        switch node.name {
        case "li": add(.item, if: isKept)
        case "input":
          let type = node["type"]?.lowercased() ?? ""
          add(
            .input,
            if: !["checkbox", "radio", "hidden", "button", "submit", "range"].contains(type))
          add(.mail, if: type == "email")
        case "select", "textarea": add(.input)
        case "button": add(.button)
        case "pre", "math", "video", "audio", "iframe": add(.code, if: isKept)
        case "time", "relative-time", "time-ago":
          // A stretch of time, as `PT15M`, is no date (WHATWG HTML §2.3.5.9).
          let isDuration = node.attributes.contains {
            $0.name == "datetime" && $0.value.hasPrefix("P")
          }
          add(.time, if: isKept && !isDuration)
        case "h2", "h3", "h4", "h5", "h6": add(.subheading, if: isKept)
        default: break
        }
        add(.block, if: node.isBlock)
      }
      sums.append(sum)
    }
  }

  func count(_ kind: Kind, in range: Range<Int>) -> Int {
    Int(sums[range.upperBound][kind.rawValue] - sums[range.lowerBound][kind.rawValue])
  }
}
