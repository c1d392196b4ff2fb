import { type JsonObject, parseJson } from '../../json-value.ts'
import type { StepsScenario } from '../../scenario.ts'
import { jsonAnswer } from '../../scenarios/json-answer.ts'
import { type AnthropicAnswer, type AnthropicBlock, blocksOf, stopOf, usageFields } from './anthropic-answer.ts'
import { anthropicError } from './anthropic-error.ts'
import { messageFields, messageHeaders } from './message-fields.ts'

/**
 * The response to `stream: false` in Anthropic's format. An answer that would fail mid-stream fails immediately here.
 */
export function anthropicDocument(answer: AnthropicAnswer): StepsScenario {
  if (answer.kind === 'mid-stream-error') return anthropicError('overloaded')
  const usage = usageFields(answer)
  const body: JsonObject = {
    ...messageFields(answer),
    content: blocksOf(answer).map(wholeBlock),
    ...stopOf(answer),
    ...(usage === null ? {} : { usage: { ...usage, service_tier: 'standard' } }),
  }
  const scenario = jsonAnswer(200, body, messageHeaders)
  return answer.wire === undefined ? scenario : { ...scenario, wire: answer.wire }
}

function wholeBlock(block: AnthropicBlock): JsonObject {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.pieces.join('') }
    case 'thinking':
      return { type: 'thinking', thinking: block.pieces.join(''), signature: block.signature }
    case 'redacted_thinking':
      return { type: 'redacted_thinking', data: block.data }
    case 'tool_use': {
      const { id, name, arguments: pieces } = block.call
      return { type: 'tool_use', id, name, input: parseJson(pieces.join('') || '{}') }
    }
    case 'other':
      return block.whole
    default:
      return block satisfies never
  }
}
