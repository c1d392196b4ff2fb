/** The mark by which spreadsheet programs recognize UTF-8. */
export const byteOrderMark = '\uFEFF'

export type CsvCell = string | number | bigint | null

/**
 * One line of a CSV file that is safe to open in a spreadsheet program. A text that looks like a formula gets a leading
 * apostrophe, which makes it text. Numbers are ours and stay unchanged.
 */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(writeCell).join(',')}\r\n`
}

// Also in their full-width forms, which some programs treat alike, and after spaces, which some remove.
const formulaStart = /^(?:\s*[=+\-@＝＋－＠]|[\t\r\n])/
const needsQuotes = /[",\r\n\t]|^'|^\s|\s$/

function writeCell(cell: CsvCell): string {
  if (cell === null) return ''
  if (typeof cell !== 'string') return String(cell)
  const text = formulaStart.test(cell) ? `'${cell}` : cell
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
