import type { JsonObject } from '../../json-value.ts'
import { type Answer, type AnswerOptions, choicesOf, type ToolCall, usageOf } from '../../scenarios/answer.ts'

/** The output of a simulated Responses upstream: one of the answers that every vendor gives, or exactly these items. */
export type ResponsesAnswer = (Answer | ItemsAnswer) & ResponsesOptions

interface ItemsAnswer extends AnswerOptions {
  kind: 'items'
  items: readonly ResponsesItem[]
  incomplete?: string
}

interface ResponsesOptions {
  /** Tokens written to the cache, part of the prompt. */
  cacheWrites?: number
  /** `xai`: a bare UUID for the response, the number before the type, and no parts or deltas of calls. */
  style?: 'openai' | 'xai'
}

export type ResponsesItem =
  | { type: 'message'; pieces: readonly string[] }
  | { type: 'refusal'; pieces: readonly string[] }
  /** Each summary in its pieces; without `encrypted` it cannot be sent back. */
  | { type: 'reasoning'; id: string; summaries: readonly (readonly string[])[]; encrypted?: string }
  | { type: 'function_call'; call: ToolCall }
  /** An item of any other type, whole from its start. */
  | { type: 'other'; whole: JsonObject }

export function itemsOf(answer: ResponsesAnswer): readonly ResponsesItem[] {
  if (answer.kind === 'items') return answer.items
  const [parts] = choicesOf(answer)
  if (parts === undefined) return []
  const { thinking, text, refusal, calls } = parts
  return [
    ...(thinking.length === 0 ? [] : [{ type: 'reasoning' as const, id: 'rs_sim01', summaries: [thinking] }]),
    ...(text.length === 0 ? [] : [{ type: 'message' as const, pieces: text }]),
    ...(refusal.length === 0 ? [] : [{ type: 'refusal' as const, pieces: refusal }]),
    ...calls.map((call) => ({ type: 'function_call' as const, call })),
  ]
}

/** A completed item. */
export function wholeItem(item: ResponsesItem, index: number): JsonObject {
  switch (item.type) {
    case 'message':
      return messageItem(index, { type: 'output_text', annotations: [], logprobs: [], text: item.pieces.join('') })
    case 'refusal':
      return messageItem(index, { type: 'refusal', refusal: item.pieces.join('') })
    case 'reasoning':
      return {
        id: item.id,
        type: 'reasoning',
        summary: item.summaries.map((pieces) => ({ type: 'summary_text', text: pieces.join('') })),
        ...(item.encrypted === undefined ? {} : { encrypted_content: item.encrypted }),
      }
    case 'function_call': {
      const { id, name, arguments: pieces } = item.call
      return {
        id: `fc_sim${index}`,
        type: 'function_call',
        status: 'completed',
        arguments: pieces.join(''),
        call_id: id,
        name,
      }
    }
    case 'other':
      return item.whole
    default:
      return item satisfies never
  }
}

function messageItem(index: number, part: JsonObject): JsonObject {
  return { id: `msg_sim${index}`, type: 'message', status: 'completed', content: [part], role: 'assistant' }
}

/** The response object with the output so far. */
export function responseFields(answer: ResponsesAnswer, state: { status: string; output: JsonObject[] }): JsonObject {
  const reason = state.status === 'incomplete' ? incompleteReason(answer) : undefined
  return {
    id: answer.style === 'xai' ? '0b824fe9-3250-2588-0bbf-0810402fc822' : 'resp_sim01',
    object: 'response',
    created_at: 1_790_000_000,
    ...(answer.style === 'xai' ? {} : { completed_at: state.status === 'completed' ? 1_790_000_002 : null }),
    status: state.status,
    background: false,
    error: null,
    incomplete_details: reason === undefined ? null : { reason },
    instructions: null,
    max_output_tokens: null,
    model: answer.model ?? 'gpt-sim-2026-01-01',
    output: state.output,
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: 'medium', summary: 'auto' },
    service_tier: 'default',
    store: false,
    temperature: 1,
    text: { format: { type: 'text' } },
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
    truncation: 'disabled',
    usage: null,
    user: null,
    metadata: {},
  }
}

/** The final status: completed, or incomplete with a reason. */
export function statusOf(answer: ResponsesAnswer): 'completed' | 'incomplete' {
  return incompleteReason(answer) === undefined ? 'completed' : 'incomplete'
}

function incompleteReason(answer: ResponsesAnswer): string | undefined {
  if (answer.kind === 'items') return answer.incomplete
  const [parts] = choicesOf(answer)
  if (parts?.finish === 'length') return 'max_output_tokens'
  return parts?.finish === 'content_filter' ? 'content_filter' : undefined
}

/** The final counts: the input includes cached tokens, the output includes the reasoning. */
function usageFields(answer: ResponsesAnswer): JsonObject | null {
  const usage =
    answer.kind === 'items'
      ? usageOf({ kind: 'text', pieces: [''], ...(answer.usage === undefined ? {} : { usage: answer.usage }) })
      : usageOf(answer)
  if (usage === null) return null
  return {
    input_tokens: usage.prompt,
    input_tokens_details: { cached_tokens: usage.cached, cache_write_tokens: answer.cacheWrites ?? 0 },
    output_tokens: usage.completion,
    output_tokens_details: { reasoning_tokens: usage.reasoning },
    total_tokens: usage.prompt + usage.completion,
  }
}

/** The whole response, as a document or in the last event. */
export function wholeResponse(answer: ResponsesAnswer): JsonObject {
  const output = itemsOf(answer).map(wholeItem)
  return { ...responseFields(answer, { status: statusOf(answer), output }), usage: usageFields(answer) }
}
