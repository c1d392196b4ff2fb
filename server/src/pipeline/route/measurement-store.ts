import { quantileOf } from '#domain/routing/histogram.ts'
import { type Measured, unmeasured } from '#domain/routing/measurements.ts'
import type { SharedMeasurements } from '#ports/shared-counts.ts'
import { createSlices, type Slices } from './measured-slices.ts'

/** One finished attempt. */
interface Sample {
  readonly vendor: string
  readonly model: string
  readonly latencyMs: number | null
  readonly tokensPerSecond: number | null
}

/**
 * How upstreams have performed over the last five minutes. A process sends its measurements to all others in batches
 * and receives a summary of all; a request only looks it up. While the others are unreachable, a process uses its own
 * measurements.
 */
export interface MeasurementStore {
  note(sample: Sample): void
  find(host: { readonly vendor: string; readonly model: string }): Measured
  /** Sends new measurements and reads those of other processes. Never fails. */
  sync(): Promise<void>
}

export const windowMs = 300_000
export const sliceMs = 10_000
// Other processes may send late. After this time an interval is not read again.
const settledAfterMs = 3 * sliceMs
// Fewer samples are not significant.
const countMin = 3
// Speeds are stored in tenths, since buckets are coarse below one.
const speedScale = 10

export function createMeasurementStore(deps: {
  shared: SharedMeasurements
  nowMs: () => number
  onError: (error: unknown) => void
}): MeasurementStore {
  const own = createSlices()
  const shared = createSlices()
  let unsent = createSlices()
  let summary: ReadonlyMap<string, Measured> = new Map()

  function add(series: string, figure: number): void {
    const startMs = sliceAt(deps.nowMs())
    own.add(startMs, series, figure)
    unsent.add(startMs, series, figure)
  }

  async function exchange(nowMs: number): Promise<void> {
    const sending = unsent.counts()
    unsent = createSlices()
    if (sending.length > 0) await deps.shared.add(sending)
    const wanted = startsIn(nowMs).filter((startMs) => !shared.has(startMs) || nowMs - startMs < settledAfterMs)
    shared.replace(wanted, await deps.shared.read(wanted))
  }

  return {
    note({ vendor, model, latencyMs, tokensPerSecond }) {
      if (latencyMs !== null) add(`${vendor} ${model} latency`, latencyMs)
      if (tokensPerSecond !== null) add(`${vendor} ${model} speed`, tokensPerSecond * speedScale)
    },
    find: ({ vendor, model }) => summary.get(`${vendor} ${model}`) ?? unmeasured,
    async sync() {
      const nowMs = deps.nowMs()
      const firstMs = startsIn(nowMs)[0] ?? 0
      for (const slices of [own, shared, unsent]) slices.forget(firstMs)
      try {
        await exchange(nowMs)
        summary = summaryOf(shared)
      } catch (error) {
        deps.onError(error)
        summary = summaryOf(own)
      }
    },
  }
}

function sliceAt(momentMs: number): number {
  return momentMs - (momentMs % sliceMs)
}

/** The intervals of the window, the oldest first. */
function startsIn(nowMs: number): number[] {
  const last = sliceAt(nowMs)
  return Array.from({ length: windowMs / sliceMs }, (_, index) => last - windowMs + (index + 1) * sliceMs)
}

function summaryOf(slices: Slices): Map<string, Measured> {
  const summary = new Map<string, Measured>()
  for (const [series, histogram] of slices.totals()) {
    let count = 0
    for (const each of histogram.values()) count += each
    if (count < countMin) continue
    const at = series.lastIndexOf(' ')
    const [host, kind] = [series.slice(0, at), series.slice(at + 1)]
    const scale = kind === 'speed' ? speedScale : 1
    const [median, p95] = [quantileOf(histogram, 0.5), quantileOf(histogram, 0.95)]
    if (median === null || p95 === null) continue
    const figures = { median: median / scale, p95: p95 / scale }
    const known = summary.get(host) ?? unmeasured
    summary.set(host, kind === 'speed' ? { ...known, tokensPerSecond: figures } : { ...known, latencyMs: figures })
  }
  return summary
}
