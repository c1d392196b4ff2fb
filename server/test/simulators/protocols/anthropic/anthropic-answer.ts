import type { JsonObject } from '../../json-value.ts'
import type { Answer, AnswerOptions, ToolCall } from '../../scenarios/answer.ts'
import { choicesOf, usageOf } from '../../scenarios/answer.ts'

/** The output of a simulated Claude: one of the answers that every vendor gives, or exactly these blocks. */
export type AnthropicAnswer = (Answer | BlocksAnswer) & AnthropicOptions

interface BlocksAnswer extends AnswerOptions {
  kind: 'blocks'
  blocks: readonly AnthropicBlock[]
  stop: string
  stopSequence?: string
}

interface AnthropicOptions {
  /** Tokens written to the cache, part of the prompt. */
  cacheWrites?: { fiveMinutes: number; oneHour: number }
  /** Older models and some proxies only report the output at the end. */
  endUsage?: 'full' | 'output-only'
}

export type AnthropicBlock =
  | { type: 'text'; pieces: readonly string[] }
  /** Without pieces, the thinking is hidden and only its signature arrives. */
  | { type: 'thinking'; pieces: readonly string[]; signature: string }
  | { type: 'redacted_thinking'; data: string }
  | { type: 'tool_use'; call: ToolCall }
  /** A block of any other type, with its streamed deltas. */
  | { type: 'other'; start: JsonObject; deltas: readonly JsonObject[]; whole: JsonObject }

export const sampleSignature = 'EqQBCkYIBxgCKkAxMjM0+/=='

export function blocksOf(answer: AnthropicAnswer): readonly AnthropicBlock[] {
  if (answer.kind === 'blocks') return answer.blocks
  const [parts] = choicesOf(answer)
  if (parts === undefined) return []
  const blocks: AnthropicBlock[] = []
  const { thinking, text, calls } = parts
  if (thinking.length > 0) blocks.push({ type: 'thinking', pieces: thinking, signature: sampleSignature })
  if (text.length > 0) blocks.push({ type: 'text', pieces: text })
  return [...blocks, ...calls.map((call) => ({ type: 'tool_use' as const, call }))]
}

/** The three fields for the end of a message. */
export function stopOf(answer: AnthropicAnswer): JsonObject {
  if (answer.kind === 'blocks') return stopFields(answer.stop, answer.stopSequence ?? null)
  const [parts] = choicesOf(answer)
  if (parts === undefined) return stopFields('end_turn', null)
  const refusal = parts.refusal.join('')
  if (refusal === '') return stopFields(stops[parts.finish], null)
  return {
    ...stopFields('refusal', null),
    stop_details: { type: 'refusal', category: 'general_harms', explanation: refusal },
  }
}

const stops = { stop: 'end_turn', length: 'max_tokens', tool_calls: 'tool_use', content_filter: 'refusal' } as const

function stopFields(reason: string, sequence: string | null): JsonObject {
  return { stop_reason: reason, stop_sequence: sequence, stop_details: null }
}

/** The final counts. The three kinds of input are disjoint, and the output includes the thinking. */
export function usageFields(answer: AnthropicAnswer): JsonObject | null {
  const usage = answer.kind === 'blocks' ? usageOfBlocks(answer) : usageOf(answer)
  if (usage === null) return null
  const { fiveMinutes, oneHour } = answer.cacheWrites ?? { fiveMinutes: 0, oneHour: 0 }
  return {
    input_tokens: usage.prompt - usage.cached - fiveMinutes - oneHour,
    cache_creation_input_tokens: fiveMinutes + oneHour,
    cache_read_input_tokens: usage.cached,
    cache_creation: { ephemeral_5m_input_tokens: fiveMinutes, ephemeral_1h_input_tokens: oneHour },
    output_tokens: usage.completion,
    output_tokens_details: { thinking_tokens: usage.reasoning },
    ...(usage.searches > 0 ? { server_tool_use: { web_search_requests: usage.searches, web_fetch_requests: 0 } } : {}),
  }
}

function usageOfBlocks({ usage, blocks }: BlocksAnswer): ReturnType<typeof usageOf> {
  const pieces = blocks.flatMap((block) => ('pieces' in block ? block.pieces : ['']))
  return usageOf({ kind: 'text', pieces, ...(usage === undefined ? {} : { usage }) })
}
