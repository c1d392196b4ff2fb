/** What `timeline-on-signal.js` writes: moments in milliseconds since the start of the gateway. */
export interface Recording {
  readonly requests: readonly RecordedRequest[]
  readonly statements: readonly MoneyStatement[]
  readonly redis: readonly { readonly wallet: string | null; readonly sentMs: number; readonly answeredMs: number }[]
  readonly collections: readonly Collection[]
  readonly delayMs: { readonly p50: number; readonly p99: number; readonly max: number }
  readonly process: { readonly ms: number; readonly cpuUs: number }
}

interface RecordedRequest {
  readonly id: string
  readonly receivedMs: number
  readonly bodyReadMs?: number
  readonly sentMs?: number
  readonly answeredMs?: number
  readonly writtenMs: number
}

interface MoneyStatement {
  readonly kind: 'hold' | 'settle'
  readonly ids: readonly string[]
  readonly wallets: readonly string[]
  readonly sentMs: number
  readonly answeredMs: number
}

/** A collection as V8's `GCProfiler` reports it. */
interface Collection {
  readonly gcType: string
  /** In microseconds. */
  readonly cost: number
  readonly afterGC: HeapSpaces
}

interface HeapSpaces {
  readonly heapSpaceStatistics: readonly { readonly spaceName: string; readonly spaceUsedSize: number }[]
}

/** The parts of a request, in the order of time. Together they are the whole request. */
export const parts = [
  'edge',
  'parse',
  'redis',
  'hold_queue',
  'hold_statement',
  'dispatch',
  'upstream',
  'settle_queue',
  'settle_statement',
  'write',
] as const
export type Part = (typeof parts)[number]
export type Timeline = Readonly<Record<Part, number>>

/** Divides each request into its parts, in milliseconds. Requests of which a moment is missing are left out. */
export function readTimelines({ requests, statements, redis }: Recording): Timeline[] {
  const byId = { hold: new Map<string, MoneyStatement>(), settle: new Map<string, MoneyStatement>() }
  for (const statement of statements) for (const id of statement.ids) byId[statement.kind].set(id, statement)
  const callsOf = Map.groupBy(redis, ({ wallet }) => wallet)
  return requests.flatMap((request) => {
    const { id, receivedMs, bodyReadMs, sentMs, answeredMs, writtenMs } = request
    const [hold, settle] = [byId.hold.get(id), byId.settle.get(id)]
    if (bodyReadMs === undefined || sentMs === undefined || answeredMs === undefined) return []
    if (hold === undefined || settle === undefined) return []
    const wallet = hold.wallets[hold.ids.indexOf(id)] ?? null
    const calls = (callsOf.get(wallet) ?? []).filter(
      (call) => call.sentMs >= receivedMs && call.answeredMs <= hold.sentMs,
    )
    const firstMs = calls[0]?.sentMs ?? bodyReadMs
    const lastMs = calls.at(-1)?.answeredMs ?? bodyReadMs
    return [
      {
        edge: bodyReadMs - receivedMs,
        parse: firstMs - bodyReadMs,
        redis: lastMs - firstMs,
        hold_queue: hold.sentMs - lastMs,
        hold_statement: hold.answeredMs - hold.sentMs,
        dispatch: sentMs - hold.answeredMs,
        upstream: answeredMs - sentMs,
        settle_queue: settle.sentMs - answeredMs,
        settle_statement: settle.answeredMs - settle.sentMs,
        write: writtenMs - settle.answeredMs,
      },
    ]
  })
}

export interface CollectionFigures {
  readonly young: number
  readonly young_mean_ms: number | null
  readonly young_longest_ms: number | null
  readonly full: number
  readonly full_longest_ms: number | null
  /** What young collections left alive in the young generation, per request: objects that survived their first one. */
  readonly surviving_kb_per_request: number
}

export function summariseCollections(collections: readonly Collection[], requests: number): CollectionFigures {
  const young = collections.filter(({ gcType }) => gcType === 'Scavenge')
  const full = collections.filter(({ gcType }) => gcType === 'MarkSweepCompact')
  const survived = young.reduce((sum, { afterGC }) => sum + youngBytes(afterGC), 0)
  return {
    young: young.length,
    young_mean_ms:
      young.length === 0 ? null : round(young.reduce((sum, { cost }) => sum + cost, 0) / young.length / 1_000),
    young_longest_ms: longestMs(young),
    full: full.length,
    full_longest_ms: longestMs(full),
    surviving_kb_per_request: round(survived / 1_024 / Math.max(1, requests)),
  }
}

function longestMs(collections: readonly Collection[]): number | null {
  return collections.length === 0 ? null : round(Math.max(...collections.map(({ cost }) => cost)) / 1_000)
}

function youngBytes({ heapSpaceStatistics }: HeapSpaces): number {
  return heapSpaceStatistics
    .filter(({ spaceName }) => spaceName === 'new_space' || spaceName === 'new_large_object_space')
    .reduce((sum, { spaceUsedSize }) => sum + spaceUsedSize, 0)
}

function round(value: number): number {
  return Number(value.toFixed(3))
}
