import { quantileOf } from '../figure.ts'
import type { FirstSecondFigures, NewProcess } from './measure-first-second.ts'

export function writeFirstSecond(figures: FirstSecondFigures): string {
  const rows = Object.entries(figures).flatMap(([name, processes]) => [
    ...processes.map((each) => rowOf(name, each)),
    medianRow(name, processes),
  ])
  return [
    '| gateway | start ms | RSS MB, first and last | CPU µs of a request, second by second | p99 ms, second by second | first ÷ last |',
    '|---|---|---|---|---|---|',
    ...rows,
  ].join('\n')
}

function rowOf(name: string, { start_ms, rss_mb, cpu_us, p99_ms, first_times_warm }: NewProcess): string {
  const latencies = p99_ms.map((ms) => ms.toFixed(0)).join(' ')
  return `| ${name} | ${start_ms} | ${rss_mb.join(' ')} | ${cpu_us.join(' ')} | ${latencies} | ${first_times_warm.toFixed(2)} |`
}

function medianRow(name: string, processes: readonly NewProcess[]): string {
  const median = (read: (each: NewProcess) => number) => quantileOf(processes.map(read), 0.5)
  const [first, last] = [median(({ cpu_us }) => cpu_us[0] ?? 0), median(({ cpu_us }) => cpu_us.at(-1) ?? 0)]
  const startMs = median(({ start_ms }) => start_ms)
  const rssMb = `${median(({ rss_mb }) => rss_mb[0])} … ${median(({ rss_mb }) => rss_mb[1])}`
  const ratio = median(({ first_times_warm }) => first_times_warm)
  return `| ${name}, median | ${startMs} | ${rssMb} | ${first} … ${last} | | ${ratio.toFixed(2)} |`
}
