/// Rows of text in aligned columns.
package struct Table {
  private var rows: [[String]] = []

  package init(_ header: [String]) { rows = [header] }

  package mutating func add(_ row: [String]) { rows.append(row) }

  package var text: String {
    var widths: [Int] = []
    for row in rows {
      for (i, cell) in row.enumerated() {
        if i == widths.count { widths.append(0) }
        widths[i] = max(widths[i], cell.count)
      }
    }
    var out = ""
    for row in rows {
      var line = ""
      for (i, cell) in row.enumerated() {
        line += cell
        if i < row.count - 1 { line += String(repeating: " ", count: widths[i] - cell.count + 2) }
      }
      out += line + "\n"
    }
    return out
  }
}
