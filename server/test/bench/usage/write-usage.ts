import { type RollupCounts, rollupTables } from './count-rollups.ts'
import type { RollupRound } from './rollup-rounds.ts'
import type { PageFigures, UsageStage } from './measure-usage.ts'

/** The targets for the last stage. */
const coldMsMax = 300
const rollupPerSecondMin = 20_000
const rollupVersusBareMin = 0.4

/** The figures as Markdown tables, with a column per stage. */
export function writeUsage(stages: readonly UsageStage[]): string {
  const header = ['', ...stages.map(({ rows }) => `${(rows / 1_000_000).toFixed(1)} M requests`)]
  const line = (name: string, cell: (stage: UsageStage) => string): string => row([name, ...stages.map(cell)])
  return [
    row(header),
    row(header.map(() => '---')),
    line('loaded, requests/s', ({ load }) => number(load.rows / load.seconds)),
    line('rolled up from memory, requests/s', ({ rollup }) => number(rollupSpeed(rollup.filter(isCompared)))),
    line('rolled up from disk, requests/s', ({ rollup }) =>
      number(rollupSpeed(rollup.filter((round) => !isCompared(round)))),
    ),
    line('bare statement, from memory, requests/s', ({ rollup }) => number(bareSpeed(rollup))),
    line('rollup ÷ bare, median of rounds', ({ rollup }) => rollupVersusBare(rollup).toFixed(2)),
    ...rollupTables.map((table) =>
      line(`rows of ${table} (the organization's)`, ({ rollups }) => describeRows(rollups[table])),
    ),
    line('all pages cold, p50 ms', ({ pages }) => number(quantile(pages.flatMap(pageTimes), 0.5))),
    line('all pages cold, p95 ms', ({ pages }) => number(quantile(pages.flatMap(pageTimes), 0.95))),
    '',
    row(['page: rows read, p50 ms, p95 ms', ...header.slice(1)]),
    row(header.map(() => '---')),
    ...(stages[0]?.pages ?? []).map(({ name }, index) => line(name, ({ pages }) => describePage(pages[index]))),
  ].join('\n')
}

interface UsageVerdict {
  readonly pages_slower_than_wanted: readonly string[]
  readonly rollup_per_s: number
  readonly rollup_vs_bare: number
  readonly reached: boolean
}

export function judgeUsage(stages: readonly UsageStage[]): UsageVerdict {
  const last = stages.at(-1)
  const slow = (last?.pages ?? []).filter((page) => quantile(pageTimes(page), 0.95) > coldMsMax)
  const speed = rollupSpeed(last?.rollup.filter(isCompared) ?? [])
  const ratio = rollupVersusBare(last?.rollup ?? [])
  return {
    pages_slower_than_wanted: slow.map(({ name }) => name),
    rollup_per_s: Math.round(speed),
    rollup_vs_bare: Number(ratio.toFixed(2)),
    reached: slow.length === 0 && speed >= rollupPerSecondMin && ratio >= rollupVersusBareMin,
  }
}

function describeRows(counts: RollupCounts[string] | undefined): string {
  return counts === undefined ? '–' : `${number(counts.rows)} (${number(counts.ofOrganization)})`
}

function describePage(page: PageFigures | undefined): string {
  if (page === undefined) return '–'
  const times = pageTimes(page)
  return `${number(page.rowsRead)}, ${number(quantile(times, 0.5))}, ${number(quantile(times, 0.95))}`
}

function pageTimes({ reads }: PageFigures): number[] {
  return reads.map(({ pageMs }) => pageMs)
}

function rollupSpeed(rounds: readonly RollupRound[]): number {
  return sum(rounds, ({ rows }) => rows) / sum(rounds, ({ rollupSeconds }) => rollupSeconds)
}

function bareSpeed(rounds: readonly RollupRound[]): number {
  const compared = rounds.filter(isCompared)
  return sum(compared, ({ rows }) => rows) / sum(compared, ({ bareSeconds }) => bareSeconds ?? 0)
}

function isCompared({ bareSeconds }: RollupRound): boolean {
  return bareSeconds !== null
}

// Computed within each round, because a noisy neighbour disturbs a whole round.
function rollupVersusBare(rounds: readonly RollupRound[]): number {
  const ratios = rounds.flatMap(({ rollupSeconds, bareSeconds }) =>
    bareSeconds === null ? [] : bareSeconds / rollupSeconds,
  )
  return quantile(ratios, 0.5)
}

/** The smallest value that is not below this share of all. */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0
}

function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((total, item) => total + of(item), 0)
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}

function number(value: number): string {
  return Number.isFinite(value) ? Math.round(value).toLocaleString('en-US') : '–'
}
