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
  /** Time to a whole answer; only for requests that ask for a hedge, which alone need it. */
  readonly wholeMs?: number
}

interface Host {
  readonly vendor: string
  readonly model: string
}

/**
 * How upstreams have performed over the last five minutes. A process sends its measurements to all others in batches
 * and receives a summary of all; a request only looks it up. While the others are unreachable, a process uses its own
 * measurements.
 */
export interface MeasurementStore {
  note(sample: Sample): void
  find(host: Host): Measured
  /** The time within which 95 % of streams begin, or of whole answers end. Null if too few were measured. */
  slowMs(host: Host, streamed: boolean): number | null
  /** Sends new measurements and reads those of other processes. Never fails. */
  sync(): Promise<void>
}

export const windowMs = 300_000
export const sliceMs = 10_000
// Other processes may send late. After this time an interval is not read again.
const settledAfterMs = 3 * sliceMs
// Fewer samples are not significant.
const countMin = 3
// Of fewer samples, the slowest alone would decide what is slow.
const slowCountMin = 20
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
  let summary: Summary = { measured: new Map(), slowMs: new Map() }

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
    note({ vendor, model, latencyMs, tokensPerSecond, wholeMs }) {
      if (latencyMs !== null) add(`${vendor} ${model} latency`, latencyMs)
      if (tokensPerSecond !== null) add(`${vendor} ${model} speed`, tokensPerSecond * speedScale)
      if (wholeMs !== undefined) add(`${vendor} ${model} whole`, wholeMs)
    },
    find: ({ vendor, model }) => summary.measured.get(`${vendor} ${model}`) ?? unmeasured,
    slowMs: ({ vendor, model }, streamed) =>
      summary.slowMs.get(`${vendor} ${model} ${streamed ? 'latency' : 'whole'}`) ?? null,
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

interface Summary {
  readonly measured: ReadonlyMap<string, Measured>
  /** By series. */
  readonly slowMs: ReadonlyMap<string, number>
}

function summaryOf(slices: Slices): Summary {
  const measured = new Map<string, Measured>()
  const slowMs = new Map<string, number>()
  for (const [series, histogram] of slices.totals()) {
    let count = 0
    for (const each of histogram.values()) count += each
    if (count < countMin) continue
    const at = series.lastIndexOf(' ')
    const [host, kind] = [series.slice(0, at), series.slice(at + 1)]
    const [median, p95] = [quantileOf(histogram, 0.5), quantileOf(histogram, 0.95)]
    if (median === null || p95 === null) continue
    if (count >= slowCountMin) slowMs.set(series, p95)
    const known = measured.get(host) ?? unmeasured
    if (kind === 'speed') {
      measured.set(host, { ...known, tokensPerSecond: { median: median / speedScale, p95: p95 / speedScale } })
    } else if (kind === 'latency') {
      measured.set(host, { ...known, latencyMs: { median, p95 } })
    }
  }
  return { measured, slowMs }
}
