import type { Wire } from '../../wire.ts'

/** The output of a simulated Amazon Bedrock model. */
export interface BedrockAnswer {
  readonly blocks: readonly BedrockBlock[]
  /** The default is `end_turn`, or `tool_use` with tools in it. */
  readonly stopReason?: string
  /** The text that ended the output. */
  readonly stopSequence?: string
  /** Null omits usage; the default is 16 input and 5 output tokens. */
  readonly usage?: BedrockUsage | null
  readonly wire?: Wire
  readonly stream?: BedrockStreamForm
}

export type BedrockBlock =
  | { readonly kind: 'text'; readonly pieces: readonly string[] }
  | { readonly kind: 'tool'; readonly id: string; readonly name: string; readonly input: readonly string[] }
  | { readonly kind: 'reasoning'; readonly pieces: readonly string[]; readonly signature?: string }
  | { readonly kind: 'redacted'; readonly base64: string }
  /** A block of a kind that only Amazon knows. A stream omits it. */
  | { readonly kind: 'other'; readonly value: { readonly [key: string]: string | object } }

/** Bedrock's counts: `inputTokens` excludes cache reads and writes. */
interface BedrockUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheReadInputTokens?: number
  readonly cacheWriteInputTokens?: number
  readonly cacheDetails?: readonly { readonly ttl: string; readonly inputTokens: number }[]
}

/** Variations of a stream. */
interface BedrockStreamForm {
  readonly metadataFirst?: true
  /** The deltas of all blocks in turns, one of each at a time. */
  readonly interleaved?: true
  /** Text blocks have an empty start event. */
  readonly announcesText?: true
  /** After the blocks, instead of the stop and the usage. */
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
