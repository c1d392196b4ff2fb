/**
 * Tells whether a comment directly above a line allows what the line does: `// allowed: <reason>`, with at least two
 * words. The reason may continue on further comment lines.
 */
export function isAllowed(lines: readonly string[], line: number): boolean {
  for (let above = line - 2; above >= 0; above -= 1) {
    const comment = /^\s*\/\/\s*(.*)$/.exec(lines[above] ?? '')?.[1]
    if (comment === undefined) return false
    if (/^allowed: \S+ \S/.test(comment)) return true
  }
  return false
}
