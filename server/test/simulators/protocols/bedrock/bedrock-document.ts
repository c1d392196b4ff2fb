import type { StepsScenario } from '../../scenario.ts'
import { type BedrockAnswer, type BedrockBlock, stopReasonOf, usageFieldsOf } from './bedrock-answer.ts'

/** A Converse response. */
export function bedrockDocument(answer: BedrockAnswer): StepsScenario {
  const headers = { 'content-type': 'application/json', 'x-amzn-requestid': 'simulated' }
  return {
    kind: 'steps',
    steps: [
      { do: 'head', status: 200, headers },
      { do: 'write', text: JSON.stringify(bedrockBody(answer)) },
      { do: 'end' },
    ],
    ...(answer.wire === undefined ? {} : { wire: answer.wire }),
  }
}

export function bedrockBody(answer: BedrockAnswer): object {
  const { stopSequence } = answer
  return {
    ...(stopSequence === undefined ? {} : { additionalModelResponseFields: { stop_sequence: stopSequence } }),
    metrics: { latencyMs: 234 },
    output: { message: { content: answer.blocks.map(contentOf), role: 'assistant' } },
    stopReason: stopReasonOf(answer),
    ...usageFieldsOf(answer),
  }
}

function contentOf(block: BedrockBlock): object {
  switch (block.kind) {
    case 'text':
      return { text: block.pieces.join('') }
    case 'tool':
      return { toolUse: { input: inputOf(block.input.join('')), name: block.name, toolUseId: block.id } }
    case 'reasoning': {
      const signed = block.signature === undefined ? {} : { signature: block.signature }
      return { reasoningContent: { reasoningText: { ...signed, text: block.pieces.join('') } } }
    }
    case 'redacted':
      return { reasoningContent: { redactedContent: block.base64 } }
    case 'other':
      return block.value
    default:
      return block satisfies never
  }
}

function inputOf(text: string): unknown {
  return text === '' ? {} : JSON.parse(text)
}
