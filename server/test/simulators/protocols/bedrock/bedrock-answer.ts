import type { Wire } from '../../wire.ts'

/** What a simulated model of Amazon Bedrock says. */
export interface BedrockAnswer {
  readonly blocks: readonly BedrockBlock[]
  /** `end_turn` when absent, or `tool_use` with tools in it. */
  readonly stopReason?: string
  /** The text that ended the output. */
  readonly stopSequence?: string
  /** Null leaves usage out altogether; when absent, 16 tokens in and 5 out. */
  readonly usage?: BedrockUsage | null
  readonly wire?: Wire
  readonly stream?: BedrockStreamForm
}

export type BedrockBlock =
  | { readonly kind: 'text'; readonly pieces: readonly string[] }
  | { readonly kind: 'tool'; readonly id: string; readonly name: string; readonly input: readonly string[] }
  | { readonly kind: 'reasoning'; readonly pieces: readonly string[]; readonly signature?: string }
  | { readonly kind: 'redacted'; readonly base64: string }
  /** A block of a kind that only Amazon knows. In a stream it is left out. */
  | { readonly kind: 'other'; readonly value: { readonly [key: string]: string | object } }

/** As Bedrock counts: what was read from or written to the cache is not in `inputTokens`. */
interface BedrockUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheReadInputTokens?: number
  readonly cacheWriteInputTokens?: number
  readonly cacheDetails?: readonly { readonly ttl: string; readonly inputTokens: number }[]
}

/** How a stream may differ from the usual one. */
interface BedrockStreamForm {
  readonly metadataFirst?: true
  /** The deltas of all blocks in turns, one of each at a time. */
  readonly interleaved?: true
  /** Text blocks are announced, with nothing in the announcement. */
  readonly announcesText?: true
  /** After the blocks, in place of the stop and the usage. */
  readonly exception?: { readonly type: string; readonly message: string }
}

export function stopReasonOf({ stopReason, blocks }: BedrockAnswer): string {
  return stopReason ?? (blocks.some((block) => block.kind === 'tool') ? 'tool_use' : 'end_turn')
}

/** The fields of the usage record, or none. */
export function usageFieldsOf({ usage = { inputTokens: 16, outputTokens: 5 } }: BedrockAnswer): object {
  if (usage === null) return {}
  const { inputTokens, outputTokens, cacheReadInputTokens = 0, cacheWriteInputTokens = 0 } = usage
  const totalTokens = inputTokens + outputTokens + cacheReadInputTokens + cacheWriteInputTokens
  return { usage: { ...usage, totalTokens } }
}
