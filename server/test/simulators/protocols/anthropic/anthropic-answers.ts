import { type AnthropicAnswer, sampleSignature } from './anthropic-answer.ts'

const oslo = { id: 'toolu_01', name: 'get_weather', arguments: ['{"city":', '"Osl', 'o"}'] }
const utc = { id: 'toolu_02', name: 'get_time', arguments: ['{"zone":"UTC"}'] }
const now = { id: 'toolu_03', name: 'get_date', arguments: [] }
const thought = { type: 'thinking', pieces: ['Hm', ', 東'], signature: sampleSignature } as const
const counts = { prompt: 100, completion: 40, cached: 30, reasoning: 10 }

/** One answer of every kind, by name; each can be streamed or sent whole. */
export const anthropicAnswers = {
  text: { kind: 'text', pieces: ['Hel', 'lø ', '🌊'] },
  'parallel-tools': { kind: 'tools', pieces: ['Let me see.'], calls: [oslo, utc, now], usage: counts },
  'thinking-then-text': { kind: 'reasoning', thinking: ['H', 'm'], pieces: ['Hel', 'lo'], usage: counts },
  'thinking-then-tool': {
    kind: 'blocks',
    blocks: [thought, { type: 'tool_use', call: oslo }],
    stop: 'tool_use',
    usage: counts,
  },
  'thinking-not-shown': {
    kind: 'blocks',
    blocks: [
      { type: 'thinking', pieces: [], signature: 'c2lnbmVk' },
      { type: 'text', pieces: ['Hello'] },
    ],
    stop: 'end_turn',
    usage: counts,
  },
  'redacted-thinking': {
    kind: 'blocks',
    blocks: [
      thought,
      { type: 'redacted_thinking', data: 'ZW5jcnlwdGVk' },
      { type: 'text', pieces: ['Hello'] },
      { type: 'tool_use', call: utc },
    ],
    stop: 'tool_use',
    usage: counts,
  },
  'server-tool': {
    kind: 'blocks',
    blocks: [
      {
        type: 'other',
        start: { type: 'server_tool_use', id: 'srvtoolu_01', name: 'web_search', input: {} },
        deltas: [
          { type: 'input_json_delta', partial_json: '{"query":' },
          { type: 'input_json_delta', partial_json: '"weirs"}' },
        ],
        whole: { type: 'server_tool_use', id: 'srvtoolu_01', name: 'web_search', input: { query: 'weirs' } },
      },
      { type: 'text', pieces: ['Found.'] },
    ],
    stop: 'pause_turn',
    usage: { ...counts, searches: 1 },
  },
  'stop-sequence': {
    kind: 'blocks',
    blocks: [{ type: 'text', pieces: ['One'] }],
    stop: 'stop_sequence',
    stopSequence: 'END',
  },
  refusal: { kind: 'refusal', pieces: ['This can not ', 'be answered.'], usage: { prompt: 12, completion: 0 } },
  'content-filter': { kind: 'content-filter', pieces: ['Hel'] },
  length: { kind: 'length', pieces: ['Hel'], usage: counts },
  'cached-usage': {
    kind: 'text',
    pieces: ['Hello'],
    usage: { prompt: 3_570, completion: 30, cached: 500 },
    cacheWrites: { fiveMinutes: 3_000, oneHour: 68 },
  },
  'cached-usage-told-at-start': {
    kind: 'text',
    pieces: ['Hello'],
    usage: { prompt: 3_570, completion: 30, cached: 500 },
    cacheWrites: { fiveMinutes: 3_000, oneHour: 68 },
    endUsage: 'output-only',
  },
} as const satisfies Record<string, AnthropicAnswer>

export const anthropicFailingAnswer = {
  kind: 'mid-stream-error',
  pieces: ['Hel'],
  message: 'Overloaded',
} as const satisfies AnthropicAnswer
