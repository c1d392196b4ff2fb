/** The mark by which spreadsheet programs know that a file is UTF-8. */
export const byteOrderMark = '\uFEFF'

export type CsvCell = string | number | bigint | null

/**
 * One line of a CSV file that is safe to open in a spreadsheet program. A text that such a program would take for a
 * formula gets an apostrophe in front, which makes it text; numbers are ours and stay as they are.
 */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(writeCell).join(',')}\r\n`
}

// Also in their full-width forms, which some programs read alike, and behind spaces, which some take off.
const formulaStart = /^(?:\s*[=+\-@＝＋－＠]|[\t\r\n])/
const needsQuotes = /[",\r\n\t]|^'|^\s|\s$/

function writeCell(cell: CsvCell): string {
  if (cell === null) return ''
  if (typeof cell !== 'string') return String(cell)
  const text = formulaStart.test(cell) ? `'${cell}` : cell
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
