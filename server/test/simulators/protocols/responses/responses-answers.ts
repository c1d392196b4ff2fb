import type { ResponsesAnswer } from './responses-answer.ts'

const oslo = { id: 'call_01', name: 'get_weather', arguments: ['{"city":', '"Osl', 'o"}'] }
const utc = { id: 'call_02', name: 'get_time', arguments: ['{"zone":"UTC"}'] }
const thought = { type: 'reasoning', id: 'rs_01', summaries: [['Hm', ', 東']], encrypted: 'gAAAA+/x==' } as const
const counts = { prompt: 100, completion: 40, cached: 30, reasoning: 10 }

/** One answer of every kind, by name; each can be streamed or sent whole. */
export const responsesAnswers = {
  'plain-text': { kind: 'text', pieces: ['Hel', 'lø ', '🌊'] },
  'parallel-tools': { kind: 'tools', pieces: ['Let me see.'], calls: [oslo, utc], usage: counts },
  'thought-then-text': {
    kind: 'items',
    items: [thought, { type: 'message', pieces: ['Hel', 'lo'] }],
    usage: counts,
  },
  'thought-then-tool': { kind: 'items', items: [thought, { type: 'function_call', call: oslo }], usage: counts },
  'thought-not-shown': {
    kind: 'items',
    items: [
      { type: 'reasoning', id: 'rs_02', summaries: [], encrypted: 'gAAAAB==' },
      { type: 'message', pieces: ['Hello'] },
    ],
    usage: counts,
  },
  'two-thoughts': {
    kind: 'items',
    items: [
      thought,
      { type: 'reasoning', id: 'rs_03', summaries: [['One.'], ['Two', '.']], encrypted: 'gAAAAC==' },
      { type: 'message', pieces: ['Hello'] },
    ],
    usage: counts,
  },
  'whole-calls': { kind: 'tools', calls: [oslo, utc], style: 'xai', usage: counts },
  refusal: { kind: 'refusal', pieces: ['This can not ', 'be answered.'] },
  'content-filter': { kind: 'content-filter', pieces: ['Hel'] },
  length: { kind: 'length', pieces: ['Hel'], usage: counts },
  'cached-usage': {
    kind: 'text',
    pieces: ['Hello'],
    usage: { prompt: 3_570, completion: 30, cached: 500 },
    cacheWrites: 3_000,
  },
} as const satisfies Record<string, ResponsesAnswer>
