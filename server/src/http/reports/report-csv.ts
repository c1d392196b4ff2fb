import { byteOrderMark, csvLine } from '#lib/csv-line.ts'
import type { Columns } from './report-columns.ts'

// Some 50 KB of members.
const linesAtOnce = 500

/** A report as a file for spreadsheet programs, written while it is sent. */
export async function* reportCsv<Line>(columns: Columns<Line>, lines: readonly Line[]): AsyncGenerator<string> {
  yield byteOrderMark + csvLine(Object.keys(columns))
  const cells = Object.values(columns)
  for (let start = 0; start < lines.length; start += linesAtOnce) {
    const some = lines.slice(start, start + linesAtOnce)
    yield some.map((line) => csvLine(cells.map((cellOf) => cellOf(line)))).join('')
  }
}
