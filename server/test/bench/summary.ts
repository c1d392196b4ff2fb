import type { Entry } from './entry.ts'
import { type Figure, figureOf } from './figure.ts'
import { type LookErrors, type Phase, phases } from './look.ts'
import { addedTo } from './ratios.ts'
import { headroomMin, othersMax } from './settings.ts'
import { errorsIn, isComparable, isDisturbed, seriesOf } from './windows.ts'

/**
 * The results of a contender. A figure is null if it is missing, if errors forbid it, or if every window was disturbed.
 */
interface ContenderSummary {
  readonly figures: Readonly<Record<FigureName, Figure | null>>
  readonly errors: Readonly<Record<string, LookErrors>>
  readonly notes: readonly string[]
}

const figureNames = [
  'json_rps',
  'json_cpu_us',
  'postgres_cpu_us',
  'wal_bytes',
  'added_p50_ms_one_client',
  'cpu_us_50',
  'added_p50_ms_50',
  'added_p50_ms_100',
  'added_p50_ms_500',
  'added_p99_ms_500',
  'stream_chunks_per_s',
  'stream_cpu_us_per_chunk',
  'long_chunks_per_s',
  'long_cpu_us_per_chunk',
  'kb_per_stream',
] as const
export type FigureName = (typeof figureNames)[number]

export type ContenderResult = ContenderSummary | { unavailable: string } | { failed: string }

export function summarise(entry: Entry, direct: Entry | undefined): ContenderResult {
  if (entry.out !== null) return entry.out
  const added = addedTo(direct)
  const errors = Object.fromEntries(phases.map((phase) => [phase, errorsIn(entry, phase)]))
  const { memory } = entry
  return {
    figures: {
      json_rps: figureOf(seriesOf(entry, 'json', 'perSecond'), 0),
      json_cpu_us: figureOf(seriesOf(entry, 'json', 'cpuUs'), 1),
      postgres_cpu_us: figureOf(seriesOf(entry, 'json', 'postgresCpuUs'), 1),
      wal_bytes: figureOf(seriesOf(entry, 'json', 'walBytes'), 0),
      added_p50_ms_one_client: figureOf(added(entry, { phase: 'one_client', amount: 'p50Ms' }), 3),
      cpu_us_50: figureOf(seriesOf(entry, 'paced_50', 'cpuUs'), 0),
      added_p50_ms_50: figureOf(added(entry, { phase: 'paced_50', amount: 'p50Ms' }), 3),
      added_p50_ms_100: figureOf(added(entry, { phase: 'paced_100', amount: 'p50Ms' }), 3),
      added_p50_ms_500: figureOf(added(entry, { phase: 'paced_500', amount: 'p50Ms' }), 3),
      added_p99_ms_500: figureOf(added(entry, { phase: 'paced_500', amount: 'p99Ms' }), 3),
      stream_chunks_per_s: figureOf(seriesOf(entry, 'stream', 'perSecond'), 0),
      stream_cpu_us_per_chunk: figureOf(seriesOf(entry, 'stream', 'cpuUs'), 2),
      long_chunks_per_s: figureOf(seriesOf(entry, 'long_stream', 'perSecond'), 0),
      long_cpu_us_per_chunk: figureOf(seriesOf(entry, 'long_stream', 'cpuUs'), 2),
      kb_per_stream: figureOf([memory?.kbPerStream ?? null], 1),
    },
    errors: memory === null ? errors : { ...errors, held: memory.errors },
    notes: notesOf(entry, direct),
  }
}

/** Notes for the reader: errors, excluded windows, and whether the load or the contender was the limit. */
function notesOf(entry: Entry, direct: Entry | undefined): string[] {
  const notes: string[] = []
  for (const phase of phases) {
    const { attempts, errors, firstError } = errorsIn(entry, phase)
    if (errors === 0) continue
    const verdict = isComparable(entry, phase) ? '' : ', so it is not compared there'
    notes.push(`${phase}: ${errors} of ${attempts} failed${verdict}; first: ${oneLine(firstError)}`)
  }
  const held = entry.memory?.errors
  if (held !== undefined && held.errors > 0) notes.push(`held: ${held.errors} of ${held.attempts} streams failed`)
  const looks = entry.windows.flatMap((window) => Object.values(window))
  const disturbed = looks.filter(isDisturbed).length
  const verdict = disturbed === looks.length ? 'so its figures are rough' : 'and are left out where there are others'
  if (disturbed > 0) {
    notes.push(`others used more than ${othersMax} cores in ${disturbed} of ${looks.length} looks, ${verdict}`)
  }
  if (looks.some(({ isSaturated }) => isSaturated)) notes.push('paced: at times it could not keep up with the rate')
  return [...notes, ...limitsOf(entry, direct)]
}

// A contender that is the bottleneck keeps its core busy. One that waits for a database, the load or others does not.
function limitsOf(entry: Entry, direct: Entry | undefined): string[] {
  const notes: string[] = []
  for (const phase of ['json', 'stream'] as const) {
    const busy = figureOf(seriesOf(entry, phase, 'busyShare'), 2)?.median
    if (busy === undefined) continue
    if (busy < 0.9) {
      notes.push(`${phase}: it used ${Math.round(busy * 100)}% of its core, so its rate could be higher; judge by CPU`)
    }
    const times = headroomOf(entry, direct, phase)
    if (times === null || times >= headroomMin) continue
    notes.push(`${phase}: the load core was saturated (direct only ${times} times as fast); judge by CPU`)
  }
  return notes
}

function headroomOf(entry: Entry, direct: Entry | undefined, phase: Phase): number | null {
  const own = figureOf(seriesOf(entry, phase, 'perSecond'), 2)?.median
  const most = figureOf(seriesOf(direct, phase, 'perSecond'), 2)?.median
  return own === undefined || most === undefined || own === 0 ? null : Number((most / own).toFixed(2))
}

function oneLine(text: string | null): string {
  return (text ?? '').replaceAll(/\s+/g, ' ').slice(0, 300)
}
