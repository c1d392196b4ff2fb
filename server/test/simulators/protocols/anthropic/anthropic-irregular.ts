import type { StepsScenario } from '../../scenario.ts'
import type { AnthropicAnswer } from './anthropic-answer.ts'
import { anthropicFrames, blockFrames, endFrame, eventFrame, startFrame, streamOf } from './anthropic-stream.ts'

/**
 * Irregular streams, as seen in the wild; all of them say `Hello` and count 20 input and 5 output tokens.
 * `duplicate-start`: the first event comes twice. `spliced`: a second attempt follows an aborted one. `fallback`: a
 * block that names another model. `no-stops`: blocks and the message are never stopped. `strange-events`: events of
 * unknown types. `done-mark`: a `[DONE]` instead of the stop. `late-usage`: usage comes with the stop.
 */
export function anthropicIrregular(irregularity: Irregularity): StepsScenario {
  return streamOf(irregularities[irregularity]())
}

export type Irregularity = keyof typeof irregularities

const answer: AnthropicAnswer = { kind: 'text', pieces: ['Hel', 'lo'], usage: { prompt: 20, completion: 5 } }
const usage = { input_tokens: 20, output_tokens: 5 }
const delta = { stop_reason: 'end_turn', stop_sequence: null }
const stop = eventFrame('message_stop', {})
const text = blockFrames({ type: 'text', pieces: ['Hel', 'lo'] }, 0)

const irregularities = {
  'duplicate-start': () => [startFrame(answer), ...anthropicFrames(answer)],
  spliced: () => [
    startFrame({ ...answer, usage: { prompt: 900, completion: 1, cached: 800 } }),
    eventFrame('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    ...anthropicFrames(answer),
  ],
  fallback: () => {
    const block = { type: 'fallback', from: { model: 'claude-a' }, to: { model: 'claude-b' } }
    return [
      startFrame(answer),
      ...blockFrames({ type: 'other', start: block, deltas: [], whole: block }, 0),
      ...blockFrames({ type: 'text', pieces: ['Hello'] }, 1),
      eventFrame('message_delta', { delta, usage: { ...usage, iterations: [usage] }, context_management: null }),
      stop,
    ]
  },
  'no-stops': () => [startFrame(answer), ...text.slice(0, -1), endFrame(answer)],
  'strange-events': () => [
    eventFrame('ping', {}),
    startFrame(answer),
    eventFrame('message_annotation', { note: { depth: 1 } }),
    ...text,
    eventFrame('content_block_delta', { index: 0, delta: { type: 'citations_delta', citation: {} } }),
    endFrame(answer),
    stop,
  ],
  'done-mark': () => [startFrame(answer), ...text, endFrame(answer), 'data: [DONE]\n\n'],
  'late-usage': () => [
    startFrame(answer),
    ...text,
    eventFrame('message_delta', { delta }),
    eventFrame('message_stop', { usage }),
  ],
} as const satisfies Record<string, () => string[]>
