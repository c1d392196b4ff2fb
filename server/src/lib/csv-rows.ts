/**
 * The rows of a CSV text (RFC 4180), each with the number of its first line, from 1. Cells are separated by commas, or
 * by semicolons or tabs if the first line has more of those: spreadsheet programs of many countries write them. Empty
 * lines are left out. Null if a quote is not closed.
 */
export function csvRows(text: string): { readonly line: number; readonly cells: readonly string[] }[] | null {
  const rows: { line: number; cells: string[] }[] = []
  const plain = text.replace(/^\uFEFF/, '')
  const separator = separatorOf(plain)
  let [cell, isQuoted, line] = ['', false, 1]
  let current: { line: number; cells: string[] } = { line, cells: [] }
  const endCell = (): void => {
    current.cells.push(cell)
    cell = ''
  }
  const endRow = (): void => {
    endCell()
    if (current.cells.some((each) => each.trim() !== '')) rows.push(current)
    current = { line: line + 1, cells: [] }
  }
  for (let at = 0; at < plain.length; at += 1) {
    const character = plain.charAt(at)
    if (isQuoted) {
      if (character !== '"') cell += character
      else if (plain.charAt(at + 1) === '"') {
        cell += '"'
        at += 1
      } else isQuoted = false
    } else if (character === '"' && cell.trim() === '') [isQuoted, cell] = [true, '']
    else if (character === separator) endCell()
    else if (character === '\n') endRow()
    else if (character !== '\r') cell += character
    if (character === '\n') line += 1
  }
  if (isQuoted) return null
  endRow()
  return rows
}

function separatorOf(text: string): string {
  const [first = ''] = text.split('\n', 1)
  const count = (separator: string): number => first.split(separator).length
  return [';', '\t'].find((separator) => count(separator) > count(',')) ?? ','
}
