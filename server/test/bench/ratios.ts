import type { Entry } from './entry.ts'
import { type Figure, figureOf } from './figure.ts'
import type { Phase } from './look.ts'
import { compareSeries, ratioOf, type Series, seriesOf } from './windows.ts'

/**
 * The gateway relative to the others, computed within each window, because absolute figures are not comparable between
 * machines. For costs and latencies the other's value is divided by the gateway's, so that more is better, except where
 * the name says otherwise.
 */
export type Ratios = Readonly<Record<string, Figure | null>>

const rate = (entry: Entry | undefined): Series => seriesOf(entry, 'json', 'perSecond')
const cpu = (entry: Entry | undefined): Series => seriesOf(entry, 'json', 'cpuUs')
const chunks = (entry: Entry | undefined): Series => seriesOf(entry, 'stream', 'perSecond')
const chunkCpu = (entry: Entry | undefined): Series => seriesOf(entry, 'stream', 'cpuUs')
const longChunks = (entry: Entry | undefined): Series => seriesOf(entry, 'long_stream', 'perSecond')

export function computeRatios(entries: readonly Entry[]): Ratios {
  const named = (name: string): Entry | undefined => entries.find((entry) => entry.name === name)
  const [weir, bare, durable, portkey] = [named('weir'), named('bare'), named('durable'), named('portkey')]
  const added = addedTo(named('direct'))
  const [messages, anthropic] = [named('weir-messages'), named('weir-anthropic')]
  const p50 = { phase: 'paced_500', amount: 'p50Ms' } as const
  const p99 = { phase: 'paced_500', amount: 'p99Ms' } as const
  return {
    json_rps_vs_bare: ratioOf(rate(weir), rate(bare)),
    json_cpu_vs_bare: ratioOf(cpu(bare), cpu(weir)),
    json_rps_vs_durable: ratioOf(rate(weir), rate(durable)),
    json_cpu_vs_durable: ratioOf(cpu(durable), cpu(weir)),
    json_rps_vs_portkey: ratioOf(rate(weir), rate(portkey)),
    json_cpu_vs_portkey: ratioOf(cpu(portkey), cpu(weir)),
    added_p50_ms_one_client: figureOf(added(weir, { phase: 'one_client', amount: 'p50Ms' }), 3),
    added_p50_ms_50: figureOf(added(weir, { phase: 'paced_50', amount: 'p50Ms' }), 3),
    cpu_times_durable_50: ratioOf(seriesOf(weir, 'paced_50', 'cpuUs'), seriesOf(durable, 'paced_50', 'cpuUs')),
    added_p50_ms_100: figureOf(added(weir, { phase: 'paced_100', amount: 'p50Ms' }), 3),
    added_p50_ms_500: figureOf(added(weir, p50), 3),
    added_p50_vs_durable_500: ratioOf(added(weir, p50), added(durable, p50)),
    added_p99_vs_durable_500: ratioOf(added(weir, p99), added(durable, p99)),
    stream_chunks_vs_bare: ratioOf(chunks(weir), chunks(bare)),
    stream_chunks_vs_bare_1000: ratioOf(longChunks(weir), longChunks(bare)),
    translated_chunks_vs_bare: lesser(
      ratioOf(chunks(messages), chunks(bare)),
      ratioOf(chunks(anthropic), chunks(bare)),
    ),
    messages_to_openai_chunks_vs_bare: ratioOf(chunks(messages), chunks(bare)),
    messages_to_openai_cpu_vs_bare: ratioOf(chunkCpu(bare), chunkCpu(messages)),
    chat_to_anthropic_chunks_vs_bare: ratioOf(chunks(anthropic), chunks(bare)),
    chat_to_anthropic_cpu_vs_bare: ratioOf(chunkCpu(bare), chunkCpu(anthropic)),
    kb_per_stream: figureOf([weir?.memory?.kbPerStream ?? null], 1),
    postgres_cpu_us_per_pair: figureOf(seriesOf(weir, 'json', 'postgresCpuUs'), 1),
    postgres_cpu_us_per_pair_one_client: figureOf(seriesOf(weir, 'one_client', 'postgresCpuUs'), 1),
    wal_bytes_per_pair: figureOf(seriesOf(weir, 'json', 'walBytes'), 0),
    ...againstEarlier(weir, named('weir-earlier')),
  }
}

type Amount = Parameters<typeof seriesOf>[2]

/** This tree relative to the named one: above 1 is better for rates, costs and latencies alike. */
function againstEarlier(weir: Entry | undefined, earlier: Entry | undefined): Ratios {
  if (earlier === undefined) return {}
  const gain = (phase: Phase, amount: Amount): Figure | null =>
    ratioOf(seriesOf(weir, phase, amount), seriesOf(earlier, phase, amount))
  const saving = (phase: Phase, amount: Amount): Figure | null =>
    ratioOf(seriesOf(earlier, phase, amount), seriesOf(weir, phase, amount))
  return {
    json_rps_vs_earlier: gain('json', 'perSecond'),
    json_cpu_vs_earlier: saving('json', 'cpuUs'),
    p50_vs_earlier_one_client: saving('one_client', 'p50Ms'),
    p50_vs_earlier_500: saving('paced_500', 'p50Ms'),
    p99_vs_earlier_500: saving('paced_500', 'p99Ms'),
    stream_chunks_vs_earlier: gain('stream', 'perSecond'),
    postgres_cpu_vs_earlier: saving('json', 'postgresCpuUs'),
    postgres_cpu_vs_earlier_one_client: saving('one_client', 'postgresCpuUs'),
    wal_bytes_vs_earlier: saving('json', 'walBytes'),
  }
}

type Latency = { readonly phase: Phase; readonly amount: 'p50Ms' | 'p99Ms' }

/** The latency that a contender adds to no relay at all. */
export function addedTo(direct: Entry | undefined) {
  return (entry: Entry | undefined, { phase, amount }: Latency): Series =>
    compareSeries([seriesOf(entry, phase, amount), seriesOf(direct, phase, amount)], (own, least) => own - least)
}

function lesser(one: Figure | null, other: Figure | null): Figure | null {
  if (one === null || other === null) return null
  return one.median <= other.median ? one : other
}
