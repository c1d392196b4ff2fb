import type { JsonObject } from '#lib/json.ts'

/** The bodies of both sides in a conversation; `sdks/samples.mjs` has the same bodies. */
type ChatBody = JsonObject & { readonly model: string }

const question: JsonObject[] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Say hello' },
]

const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
export const weatherTool: JsonObject = {
  type: 'function',
  function: { name: 'get_weather', description: 'The weather of a city', parameters },
}

const bergen = { name: 'get_weather', arguments: '{"city":"Bergen"}' }
const afterCall: JsonObject[] = [
  { role: 'user', content: 'Weather in Oslo?' },
  {
    role: 'assistant',
    content: 'Let me look.',
    tool_calls: [{ id: 'call00001', type: 'function', function: bergen }],
  },
  { role: 'tool', tool_call_id: 'call00001', content: '9 degrees' },
]

export function documentBody(model: string): ChatBody {
  return { model, messages: question, max_tokens: 40, temperature: 0.5, stop: ['END'] }
}

export function streamBody(model: string): ChatBody {
  return { model, messages: question, max_tokens: 40, stream: true }
}

/** A body with a call and its result in the history. */
export function toolsBody(model: string): ChatBody {
  return { model, messages: afterCall, max_tokens: 40, tools: [weatherTool], tool_choice: 'auto' }
}

/** A body with a tool and only a question. */
export function toolBody(model: string): ChatBody {
  return { ...documentBody(model), tools: [weatherTool], tool_choice: 'auto' }
}
