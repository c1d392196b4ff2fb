import type { JsonObject } from '../../json-value.ts'
import type { StepsScenario } from '../../scenario.ts'
import {
  itemsOf,
  type ResponsesAnswer,
  type ResponsesItem,
  responseFields,
  statusOf,
  wholeItem,
  wholeResponse,
} from './responses-answer.ts'

/** A streamed Responses answer. Every frame is one write step. */
export function responsesStream(answer: ResponsesAnswer): StepsScenario {
  const scenario = streamOf(responsesFrames(answer))
  return answer.wire === undefined ? scenario : { ...scenario, wire: answer.wire }
}

export function streamOf(frames: readonly string[]): StepsScenario {
  const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'x-request-id': 'req_sim01' }
  return {
    kind: 'steps',
    steps: [
      { do: 'head', status: 200, headers },
      ...frames.map((text) => ({ do: 'write' as const, text })),
      { do: 'end' },
    ],
  }
}

function responsesFrames(answer: ResponsesAnswer): string[] {
  const begun = responseFields(answer, { status: 'in_progress', output: [] })
  const events: Event[] = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...itemsOf(answer).flatMap((item, index) => itemEvents(item, index, answer.style)),
    ...endEvents(answer),
  ]
  return numbered(events, answer.style)
}

interface Event extends JsonObject {
  type: string
}

/** Events with their numbers, from 0. */
export function numbered(events: readonly Event[], style: ResponsesAnswer['style'] = 'openai'): string[] {
  return events.map(({ type, ...fields }, number) => {
    const head = style === 'xai' ? { sequence_number: number, type } : { type, sequence_number: number }
    return `event: ${type}\ndata: ${JSON.stringify({ ...head, ...fields })}\n\n`
  })
}

/** A failing stream ends with an error event, and then the failed response. */
function endEvents(answer: ResponsesAnswer): Event[] {
  if (answer.kind !== 'mid-stream-error') {
    return [{ type: `response.${statusOf(answer)}`, response: wholeResponse(answer) }]
  }
  const message = answer.message ?? 'An error occurred while processing your request.'
  const failed = responseFields(answer, { status: 'failed', output: [] })
  return [
    { type: 'error', error: { type: 'server_error', code: 'server_error', message, param: null } },
    { type: 'response.failed', response: { ...failed, error: { code: 'server_error', message } } },
  ]
}

function itemEvents(item: ResponsesItem, index: number, style: ResponsesAnswer['style'] = 'openai'): Event[] {
  const whole = wholeItem(item, index)
  const at = { item_id: whole.id ?? '', output_index: index }
  return [
    { type: 'response.output_item.added', output_index: index, item: begunItem(item, whole, style) },
    ...insideEvents(item, at, style),
    { type: 'response.output_item.done', output_index: index, item: whole },
  ]
}

/** The encrypted content at the start is not yet the final one. */
function begunItem(item: ResponsesItem, whole: JsonObject, style: ResponsesAnswer['style']): JsonObject {
  switch (item.type) {
    case 'message':
    case 'refusal':
      return { ...whole, status: 'in_progress', content: [] }
    case 'reasoning':
      return { ...whole, summary: [], ...(item.encrypted === undefined ? {} : { encrypted_content: 'gAAAbegun' }) }
    case 'function_call':
      return style === 'xai' ? whole : { ...whole, status: 'in_progress', arguments: '' }
    case 'other':
      return whole
    default:
      return item satisfies never
  }
}

function insideEvents(item: ResponsesItem, at: JsonObject, style: ResponsesAnswer['style']): Event[] {
  switch (item.type) {
    case 'message':
      return textEvents(item.pieces, at)
    case 'refusal': {
      const place = { ...at, content_index: 0 }
      return [
        { type: 'response.content_part.added', ...place, part: { type: 'refusal', refusal: '' } },
        ...item.pieces.map((delta) => ({ type: 'response.refusal.delta', ...place, delta })),
        { type: 'response.refusal.done', ...place, refusal: item.pieces.join('') },
        { type: 'response.content_part.done', ...place, part: { type: 'refusal', refusal: item.pieces.join('') } },
      ]
    }
    case 'reasoning':
      return item.summaries.flatMap((pieces, index) => summaryEvents(pieces, { ...at, summary_index: index }))
    case 'function_call': {
      const { name, arguments: pieces } = item.call
      const done = { type: 'response.function_call_arguments.done', ...at, name, arguments: pieces.join('') }
      if (style === 'xai') return [done]
      return [...pieces.map((delta) => ({ type: 'response.function_call_arguments.delta', ...at, delta })), done]
    }
    case 'other':
      return []
    default:
      return item satisfies never
  }
}

function textEvents(pieces: readonly string[], at: JsonObject): Event[] {
  const place = { ...at, content_index: 0 }
  return [
    { type: 'response.content_part.added', ...place, part: textPart('') },
    ...pieces.map((delta) => ({
      type: 'response.output_text.delta',
      ...place,
      delta,
      logprobs: [],
      obfuscation: 'x9Kd',
    })),
    { type: 'response.output_text.done', ...place, text: pieces.join(''), logprobs: [] },
    { type: 'response.content_part.done', ...place, part: textPart(pieces.join('')) },
  ]
}

function summaryEvents(pieces: readonly string[], place: JsonObject): Event[] {
  return [
    { type: 'response.reasoning_summary_part.added', ...place, part: summaryPart('') },
    ...pieces.map((delta) => ({ type: 'response.reasoning_summary_text.delta', ...place, delta })),
    { type: 'response.reasoning_summary_text.done', ...place, text: pieces.join('') },
    { type: 'response.reasoning_summary_part.done', ...place, part: summaryPart(pieces.join('')) },
  ]
}

function textPart(text: string): JsonObject {
  return { type: 'output_text', annotations: [], logprobs: [], text }
}

function summaryPart(text: string): JsonObject {
  return { type: 'summary_text', text }
}
