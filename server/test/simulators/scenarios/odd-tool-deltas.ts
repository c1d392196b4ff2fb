import type { JsonObject } from '../json-value.ts'
import type { StepsScenario } from '../scenario.ts'
import { dataFrame, doneFrame } from './vendor-stream.ts'

/**
 * Irregular tool deltas of careless servers. Read correctly, they are two calls: `get_weather` (id `call_a`) with
 * `{"city":"Oslo"}`, and `get_time` (id `call_b`) with `{"zone":"UTC"}`.
 */
export function oddToolDeltas(): StepsScenario {
  const deltas: JsonObject[] = [
    { role: 'assistant', content: null },
    // The index is missing, so the position in the array counts.
    { tool_calls: [{ id: 'call_a', type: 'function', function: { name: 'get_weather', arguments: '' } }] },
    // Later deltas repeat id and name as empty strings, which must not replace the first ones.
    { tool_calls: [{ index: 0, id: '', function: { name: '', arguments: '{"city":' } }] },
    { tool_calls: [{ id: '', function: { name: '', arguments: '"Oslo"}' } }] },
    // The arguments are an object instead of its JSON string.
    {
      tool_calls: [
        { index: 1, id: 'call_b', type: 'function', function: { name: 'get_time', arguments: { zone: 'UTC' } } },
      ],
    },
  ]
  const chunks: JsonObject[] = [
    ...deltas.map((delta) => ({ choices: [{ index: 0, delta, finish_reason: null }] })),
    { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
    { choices: [], usage: { prompt_tokens: 16, completion_tokens: 9, total_tokens: 25 } },
  ]
  const envelope = { id: 'chatcmpl-odd', object: 'chat.completion.chunk', created: 1_790_000_000, model: 'model-x' }
  const frames = [...chunks.map((chunk) => dataFrame({ ...envelope, ...chunk })), doneFrame]
  return {
    kind: 'steps',
    steps: [
      { do: 'head', status: 200, headers: { 'content-type': 'text/event-stream' } },
      ...frames.map((text) => ({ do: 'write' as const, text })),
      { do: 'end' },
    ],
  }
}
