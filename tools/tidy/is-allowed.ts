/**
 * Tells whether a comment directly above a line allows what the line does: `// allowed: <reason>`, of two words at
 * least, which may go on over further lines of comment.
 */
export function isAllowed(lines: readonly string[], line: number): boolean {
  for (let above = line - 2; above >= 0; above -= 1) {
    const comment = /^\s*\/\/\s*(.*)$/.exec(lines[above] ?? '')?.[1]
    if (comment === undefined) return false
    if (/^allowed: \S+ \S/.test(comment)) return true
  }
  return false
}
