import { divide, readSummary } from './ratios.ts'
import type { ContenderResult, ContenderSummary } from './summary.ts'

interface Column {
  title: string
  cell: (summary: ContenderSummary, bare: ContenderSummary | undefined) => string
}

const columns: readonly Column[] = [
  { title: 'requests/s', cell: ({ json_rps }) => show(json_rps) },
  { title: '× bare', cell: ({ json_rps }, bare) => show(divide(json_rps, bare?.json_rps)) },
  { title: 'CPU µs/request', cell: ({ json_cpu_us }) => show(json_cpu_us) },
  { title: 'bare ÷ it', cell: ({ json_cpu_us }, bare) => show(divide(bare?.json_cpu_us, json_cpu_us)) },
  { title: 'p50 ms', cell: ({ p50_ms }) => show(p50_ms) },
  { title: 'added p50', cell: ({ added_p50_ms }) => show(added_p50_ms) },
  { title: 'added p99', cell: ({ added_p99_ms }) => show(added_p99_ms) },
  { title: 'chunks/s', cell: ({ stream_chunks_per_s }) => show(stream_chunks_per_s) },
  { title: '× bare', cell: ({ stream_chunks_per_s: own }, bare) => show(divide(own, bare?.stream_chunks_per_s)) },
  { title: 'CPU µs/chunk', cell: ({ stream_cpu_us_per_chunk }) => show(stream_cpu_us_per_chunk) },
  {
    title: 'bare ÷ it',
    cell: ({ stream_cpu_us_per_chunk: own }, bare) => show(divide(bare?.stream_cpu_us_per_chunk, own)),
  },
  { title: 'KB/stream', cell: ({ kb_per_stream }) => show(kb_per_stream) },
]

/** The figures as a Markdown table, followed by what must be known to read them. */
export function writeTable(contenders: Record<string, ContenderResult>): string {
  const bare = readSummary(contenders.bare)
  const rows = Object.entries(contenders).map(([name, result]) => {
    const summary = readSummary(result)
    return [name, ...columns.map(({ cell }) => (summary === undefined ? '–' : cell(summary, bare)))]
  })
  const lines = align([['', ...columns.map(({ title }) => title)], ...rows])
  return [...lines, '', ...Object.entries(contenders).flatMap(writeRemarks)].join('\n')
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
