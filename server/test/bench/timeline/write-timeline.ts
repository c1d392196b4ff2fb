import type { TimelineFigures } from './measure-timeline.ts'

export function writeTimeline(figures: TimelineFigures): string {
  const { rate, requests, collections, event_loop_delay_ms: delay } = figures
  const rows = Object.entries(figures.parts).map(
    ([part, { median_ms, p99_ms, share }]) =>
      `| ${part.replaceAll('_', ' ')} | ${show(median_ms)} | ${show(p99_ms)} | ${(share * 100).toFixed(1)}% |`,
  )
  return [
    `${requests.complete} of ${requests.all} requests at ${rate} a second`,
    '',
    '| part | median ms | p99 ms | share of all time |',
    '|---|---|---|---|',
    ...rows,
    '',
    `items in a statement: holds ${show(figures.items_per_statement.hold)}, settles ${show(figures.items_per_statement.settle)}`,
    `young collections: ${collections.young}, mean ${show(collections.young_mean_ms)} ms, longest ${show(collections.young_longest_ms)} ms`,
    `full collections: ${collections.full}, longest ${show(collections.full_longest_ms)} ms`,
    `surviving a young collection: ${show(collections.surviving_kb_per_request)} KB a request`,
    `event-loop delay: median ${show(delay.p50)} ms, p99 ${show(delay.p99)} ms, longest ${show(delay.max)} ms`,
    `CPU: ${Math.round(figures.cpu_us_per_request)} µs a request`,
    `first second of a new process: ${show(figures.first_second_times_warm)} times the CPU of the warm one`,
  ].join('\n')
}

function show(value: number | null): string {
  return value === null ? '–' : value.toFixed(2)
}
