import type { JsonObject } from '#test/simulators/json-value.ts'
import type { RecordedRequest } from '#test/simulators/request-log.ts'

/** The requests of an innocent tenant: instructions, a cap and a thinking request, in each dialect. */
export interface VictimCall {
  readonly path: string
  readonly body: JsonObject
}

const question = { role: 'user', content: 'What is a weir?' }
const instructions = 'Answer in one sentence.'
const tool = { name: 'look_up', parameters: { type: 'object', properties: {} } }

export function victimCalls(model: string): VictimCall[] {
  const messages = [{ role: 'system', content: instructions }, question]
  const chat = { model, messages, max_tokens: 1_500 }
  return [
    { path: '/v1/chat/completions', body: { ...chat, reasoning: { effort: 'low' } } },
    {
      path: '/v1/chat/completions',
      body: { ...chat, reasoning_effort: 'high', temperature: 0.5, stop: ['END'], user: 'u-1', seed: 7 },
    },
    {
      path: '/v1/chat/completions',
      body: { ...chat, stream: true, tools: [{ type: 'function', function: tool }], tool_choice: 'auto' },
    },
    { path: '/v1/messages', body: { model, system: instructions, messages: [question], max_tokens: 1_500 } },
    {
      path: '/v1/messages',
      body: {
        model,
        system: instructions,
        messages: [question],
        max_tokens: 3_000,
        thinking: { type: 'enabled', budget_tokens: 1_024 },
        metadata: { user_id: 'u-1' },
      },
    },
    {
      path: '/v1/responses',
      body: { model, instructions, input: 'What is a weir?', max_output_tokens: 1_500, reasoning: { effort: 'low' } },
    },
  ]
}

/** A request as its upstream saw it, without parts that depend on time or chance. */
export function seenRequest({ method, path, headers, rawBody }: RecordedRequest): string {
  const { traceparent: _trace, ...kept } = headers
  // A signature covers the time, which is itself a header.
  const stable = 'x-amz-date' in kept ? { ...kept, authorization: 'signed', 'x-amz-date': 'now' } : kept
  return JSON.stringify({ method, path, headers: stable, rawBody })
}

/** The fields of a request and of its nested objects. */
export function fieldsOf({ body }: RecordedRequest): string[] {
  if (!isObject(body)) return []
  return Object.entries(body).flatMap(([name, value]) => [name, ...(isObject(value) ? Object.keys(value) : [])])
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
