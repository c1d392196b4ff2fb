/**
 * Splits a CSV text into parts of so many rows, each with the header line. Empty lines before a part keep the line
 * numbers of its rows, and so do the lines that are left out. A text with line ends within quotes is one part.
 */
export function splitCsv(text: string, rowsMax: number, without: ReadonlySet<number> = new Set()): string[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  const [header = ''] = lines
  if (text.includes('"') && !isQuotedWithinLines(lines)) return [text]
  const parts: string[] = []
  for (let at = 1; at < lines.length; at += rowsMax) {
    const rows = lines.slice(at, at + rowsMax).map((row, position) => (without.has(at + position + 1) ? '' : row))
    if (rows.every((row) => row.trim() === '')) continue
    parts.push([header, ...Array.from({ length: at - 1 }, () => ''), ...rows].join('\n'))
  }
  return parts
}

/** Whether every line closes the quotes that it opens. */
function isQuotedWithinLines(lines: readonly string[]): boolean {
  return lines.every((line) => line.split('"').length % 2 === 1)
}
