import type { Figure } from './figure.ts'
import type { Ratios } from './ratios.ts'
import type { ContenderResult, FigureName } from './summary.ts'

const columns: readonly (readonly [title: string, name: FigureName])[] = [
  ['requests/s', 'json_rps'],
  ['CPU µs/request', 'json_cpu_us'],
  ['Postgres µs', 'postgres_cpu_us'],
  ['WAL bytes', 'wal_bytes'],
  ['added p50 ms, 1 client', 'added_p50_ms_one_client'],
  ['at 50/s', 'added_p50_ms_50'],
  ['at 100/s', 'added_p50_ms_100'],
  ['at 500/s', 'added_p50_ms_500'],
  ['p99 at 500/s', 'added_p99_ms_500'],
  ['CPU µs at 50/s', 'cpu_us_50'],
  ['chunks/s', 'stream_chunks_per_s'],
  ['CPU µs/chunk', 'stream_cpu_us_per_chunk'],
  ['chunks/s of 1,000', 'long_chunks_per_s'],
  ['KB/stream', 'kb_per_stream'],
]

/** The medians as a Markdown table, the ratios with their quartiles, and the notes to read them. */
export function writeTable(contenders: Readonly<Record<string, ContenderResult>>, ratios: Ratios): string {
  const rows = Object.entries(contenders).map(([name, result]) => [
    name,
    ...columns.map(([, figure]) => show('figures' in result ? (result.figures[figure]?.median ?? null) : null)),
  ])
  const compared = Object.entries(ratios).map(([name, figure]) => [name, ...spreadOf(figure)])
  return [
    ...align([['', ...columns.map(([title]) => title)], ...rows]),
    '',
    ...align([['ratio', 'median', 'quartiles', 'windows'], ...compared]),
    '',
    ...Object.entries(contenders).flatMap(writeRemarks),
  ].join('\n')
}

function spreadOf(figure: Figure | null): string[] {
  if (figure === null) return ['–', '–', '0']
  return [show(figure.median), `${show(figure.low)} to ${show(figure.high)}`, String(figure.windows)]
}

function align(rows: readonly string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const lines = rows.map(
    (row) => `| ${row.map((cell, column) => pad(cell, widths[column] ?? 0, column)).join(' | ')} |`,
  )
  const rule = `| ${widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`
  return [...lines.slice(0, 1), rule, ...lines.slice(1)]
}

function pad(cell: string, width: number, column: number): string {
  return column === 0 ? cell.padEnd(width) : cell.padStart(width)
}

function writeRemarks([name, result]: [string, ContenderResult]): string[] {
  if ('unavailable' in result) return [`${name} is unavailable: ${result.unavailable}`]
  if ('failed' in result) return [`${name} FAILED: ${result.failed}`]
  return result.notes.map((note) => `${name}, ${note}`)
}

function show(value: number | null): string {
  if (value === null) return '–'
  return value >= 1_000 ? Math.round(value).toLocaleString('en-US') : String(value)
}
