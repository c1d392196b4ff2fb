import type { JsonObject } from '../../json-value.ts'
import type { StepsScenario } from '../../scenario.ts'
import { type AnthropicAnswer, type AnthropicBlock, blocksOf, stopOf, usageFields } from './anthropic-answer.ts'
import { messageFields, messageHeaders } from './message-fields.ts'

/** A streamed answer in Anthropic's format. Every frame is one write step. */
export function anthropicStream(answer: AnthropicAnswer): StepsScenario {
  const scenario = streamOf(anthropicFrames(answer))
  return answer.wire === undefined ? scenario : { ...scenario, wire: answer.wire }
}

export function streamOf(frames: readonly string[]): StepsScenario {
  const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache', ...messageHeaders }
  return {
    kind: 'steps',
    steps: [
      { do: 'head', status: 200, headers },
      ...frames.map((text) => ({ do: 'write' as const, text })),
      { do: 'end' },
    ],
  }
}

export function anthropicFrames(answer: AnthropicAnswer): string[] {
  const frames = [startFrame(answer), ...blocksOf(answer).flatMap(blockFrames)]
  frames.splice(2, 0, eventFrame('ping', {}))
  if (answer.kind === 'mid-stream-error') {
    const message = answer.message ?? 'Overloaded'
    return [...frames, eventFrame('error', { error: { type: 'overloaded_error', message } })]
  }
  return [...frames, endFrame(answer), eventFrame('message_stop', {})]
}

export function eventFrame(type: string, fields: JsonObject): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`
}

/** The output count here is a placeholder. */
export function startFrame(answer: AnthropicAnswer): string {
  const { output_tokens_details: _, server_tool_use: _tools, ...usage } = usageFields(answer) ?? {}
  const stop = { stop_reason: null, stop_sequence: null, stop_details: null }
  const message = { ...messageFields(answer), content: [], ...stop }
  if (answer.usage === null) return eventFrame('message_start', { message })
  const counted = { ...usage, output_tokens: 1, service_tier: 'standard', inference_geo: 'global' }
  return eventFrame('message_start', { message: { ...message, usage: counted } })
}

export function endFrame(answer: AnthropicAnswer): string {
  const usage = usageFields(answer)
  const delta = stopOf(answer)
  if (usage === null) return eventFrame('message_delta', { delta })
  const { cache_creation: _, ...full } = usage
  const reported = answer.endUsage === 'output-only' ? { output_tokens: full.output_tokens ?? 0 } : full
  return eventFrame('message_delta', { delta, usage: reported })
}

export function blockFrames(block: AnthropicBlock, index: number): string[] {
  const { start, deltas } = piecesOf(block)
  return [
    eventFrame('content_block_start', { index, content_block: start }),
    ...deltas.map((delta) => eventFrame('content_block_delta', { index, delta })),
    eventFrame('content_block_stop', { index }),
  ]
}

function piecesOf(block: AnthropicBlock): { start: JsonObject; deltas: readonly JsonObject[] } {
  switch (block.type) {
    case 'text':
      return { start: { type: 'text', text: '' }, deltas: block.pieces.map((text) => ({ type: 'text_delta', text })) }
    case 'thinking': {
      const thoughts = block.pieces.map((thinking) => ({ type: 'thinking_delta', thinking }))
      const sealed = { type: 'signature_delta', signature: block.signature }
      return { start: { type: 'thinking', thinking: '', signature: '' }, deltas: [...thoughts, sealed] }
    }
    case 'redacted_thinking':
      return { start: { type: 'redacted_thinking', data: block.data }, deltas: [] }
    case 'tool_use': {
      const { id, name, arguments: pieces } = block.call
      const deltas = ['', ...pieces].map((json) => ({ type: 'input_json_delta', partial_json: json }))
      return { start: { type: 'tool_use', id, name, input: {} }, deltas }
    }
    case 'other':
      return block
    default:
      return block satisfies never
  }
}
