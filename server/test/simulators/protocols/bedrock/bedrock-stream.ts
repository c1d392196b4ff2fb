import type { Step, StepsScenario } from '../../scenario.ts'
import { type BedrockAnswer, type BedrockBlock, stopReasonOf, usageFieldsOf } from './bedrock-answer.ts'
import { eventOf, exceptionOf } from './event-frame.ts'

/** A ConverseStream response: one step per frame. */
export function bedrockStream(answer: BedrockAnswer): StepsScenario {
  const steps = bedrockFrames(answer).map((frame): Step => ({ do: 'bytes', base64: frame.toString('base64') }))
  const headers = { 'content-type': 'application/vnd.amazon.eventstream', 'x-amzn-requestid': 'simulated' }
  return {
    kind: 'steps',
    steps: [{ do: 'head', status: 200, headers }, ...steps, { do: 'end' }],
    ...(answer.wire === undefined ? {} : { wire: answer.wire }),
  }
}

export function bedrockFrames(answer: BedrockAnswer): Buffer[] {
  const { metadataFirst, exception, interleaved } = answer.stream ?? {}
  const blocks = answer.blocks.map((block, index) => framesOf(block, index, answer))
  const start = eventOf('messageStart', { p: 'abcd', role: 'assistant' })
  const said = interleaved === undefined ? blocks.flat() : inTurns(blocks)
  if (exception !== undefined) return [start, ...said, exceptionOf(exception.type, { message: exception.message })]
  const { stopSequence = null } = answer
  const stop = eventOf('messageStop', {
    additionalModelResponseFields: { delta: { stop_sequence: stopSequence } },
    p: 'abcdefghijk',
    stopReason: stopReasonOf(answer),
  })
  const metadata = eventOf('metadata', { metrics: { latencyMs: 234 }, p: 'abc', ...usageFieldsOf(answer) })
  return [start, ...said, ...(metadataFirst === undefined ? [stop, metadata] : [metadata, stop])]
}

function framesOf(block: BedrockBlock, contentBlockIndex: number, { stream }: BedrockAnswer): Buffer[] {
  const add = (delta: object): Buffer => eventOf('contentBlockDelta', { contentBlockIndex, delta, p: 'abcdefgh' })
  const begin = (start: object): Buffer => eventOf('contentBlockStart', { contentBlockIndex, p: 'ab', start })
  const stop = eventOf('contentBlockStop', { contentBlockIndex, p: 'abcde' })
  switch (block.kind) {
    case 'text': {
      const announced = stream?.announcesText === undefined ? [] : [begin({})]
      return [...announced, ...block.pieces.map((text) => add({ text })), stop]
    }
    case 'tool':
      return [
        begin({ toolUse: { name: block.name, toolUseId: block.id } }),
        ...block.input.map((input) => add({ toolUse: { input } })),
        stop,
      ]
    case 'reasoning': {
      const signed = block.signature === undefined ? [] : [add({ reasoningContent: { signature: block.signature } })]
      return [...block.pieces.map((text) => add({ reasoningContent: { text } })), ...signed, stop]
    }
    case 'redacted':
      return [add({ reasoningContent: { redactedContent: block.base64 } }), stop]
    case 'other':
      return []
    default:
      return block satisfies never
  }
}

function inTurns(blocks: readonly (readonly Buffer[])[]): Buffer[] {
  const rounds = Math.max(0, ...blocks.map((frames) => frames.length))
  return Array.from({ length: rounds }, (_, round) => blocks.flatMap((frames) => frames[round] ?? [])).flat()
}
