import type { ContenderResult, ContenderSummary } from './summary.ts'

/** How the gateway stands to the others, from one run on one machine; absolute figures do not travel. */
export interface Ratios {
  json_rps_vs_bare: number | null
  /** Bare CPU per request divided by the gateway's: 1 is as cheap as bare, less is dearer. */
  json_cpu_vs_bare: number | null
  json_rps_vs_portkey: number | null
  added_p50_ms: number | null
  stream_chunks_vs_bare: number | null
  kb_per_stream: number | null
  /** The translated pairs against a relay that translates nothing; CPU per chunk is bare's divided by theirs. */
  messages_to_openai_chunks_vs_bare: number | null
  messages_to_openai_cpu_vs_bare: number | null
  chat_to_anthropic_chunks_vs_bare: number | null
  chat_to_anthropic_cpu_vs_bare: number | null
}

export function computeRatios(contenders: Record<string, ContenderResult>): Ratios {
  const weir = readSummary(contenders.weir)
  const bare = readSummary(contenders.bare)
  const portkey = readSummary(contenders.portkey)
  const messages = readSummary(contenders['weir-messages'])
  const anthropic = readSummary(contenders['weir-anthropic'])
  return {
    json_rps_vs_bare: divide(weir?.json_rps, bare?.json_rps),
    json_cpu_vs_bare: divide(bare?.json_cpu_us, weir?.json_cpu_us),
    json_rps_vs_portkey: divide(weir?.json_rps, portkey?.json_rps),
    added_p50_ms: weir?.added_p50_ms ?? null,
    stream_chunks_vs_bare: divide(weir?.stream_chunks_per_s, bare?.stream_chunks_per_s),
    kb_per_stream: weir?.kb_per_stream ?? null,
    messages_to_openai_chunks_vs_bare: divide(messages?.stream_chunks_per_s, bare?.stream_chunks_per_s),
    messages_to_openai_cpu_vs_bare: divide(bare?.stream_cpu_us_per_chunk, messages?.stream_cpu_us_per_chunk),
    chat_to_anthropic_chunks_vs_bare: divide(anthropic?.stream_chunks_per_s, bare?.stream_chunks_per_s),
    chat_to_anthropic_cpu_vs_bare: divide(bare?.stream_cpu_us_per_chunk, anthropic?.stream_cpu_us_per_chunk),
  }
}

export function readSummary(result: ContenderResult | undefined): ContenderSummary | undefined {
  return result !== undefined && 'json_rps' in result ? result : undefined
}

export function divide(one: number | null | undefined, other: number | null | undefined): number | null {
  return typeof one !== 'number' || typeof other !== 'number' || other === 0 ? null : Number((one / other).toFixed(3))
}
