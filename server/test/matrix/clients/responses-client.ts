import { isDeepStrictEqual } from 'node:util'
import { readEvents } from '#dialects/responses/fixtures/read-events.ts'
import { assert } from '#lib/assert.ts'
import { isJsonObject, type JsonObject, objectAt, parseJsonObject, stringAt } from '#lib/json.ts'
import { sampleSchema, samplePng } from '../features.ts'
import { objectsIn } from '../upstreams/json-path.ts'
import { type Client, type Heard, type HeardError, type HeardUsage, nothingHeard, type RawAnswer } from './client.ts'

export const responsesClient: Client = {
  dialect: 'responses',
  path: '/v1/responses',
  ask: (feature, tools) => {
    const image = { type: 'input_image', image_url: `data:${samplePng.mediaType};base64,${samplePng.base64}` }
    const text = { type: 'input_text', text: 'Hello there' }
    return {
      input: [{ role: 'user', content: feature === 'image input' ? [text, image] : [text] }],
      max_output_tokens: 4_000,
      store: false,
      include: ['reasoning.encrypted_content'],
      ...(tools.length === 0
        ? {}
        : {
            tools: tools.map(({ name, description, schema }) => ({
              type: 'function',
              name,
              description,
              parameters: schema,
            })),
          }),
      ...(feature === 'reasoning with signature' ? { reasoning: { effort: 'medium', summary: 'auto' } } : {}),
      ...(feature === 'structured output'
        ? { text: { format: { type: 'json_schema', name: 'place', schema: sampleSchema, strict: true } } }
        : {}),
    }
  },
  hear: (answer) => (answer.isStream ? hearStream(answer.text) : hearDocument(answer)),
  answerTools: (asked, { history, calls }, results) => ({
    ...asked,
    input: [
      ...objectsIn(asked.input),
      ...history,
      ...calls.map(({ id }, position) => ({
        type: 'function_call_output',
        call_id: id,
        output: results[position] ?? '',
      })),
    ],
  }),
  goOn: (asked, { history }, text) => ({
    ...asked,
    input: [...objectsIn(asked.input), ...history, { role: 'user', content: text }],
  }),
  finishWord: ({ finish }) => {
    if (finish === 'length') return 'incomplete: max_output_tokens'
    return finish === 'content_filter' ? 'incomplete: content_filter' : 'completed'
  },
}

function hearDocument({ status, text }: RawAnswer): Heard {
  const body = parseJsonObject(text)
  assert(body !== undefined, `an answer is an object: ${text}`)
  if (status !== 200) return { ...nothingHeard, error: errorOf(objectAt(body, 'error')) }
  return heardResponse(body)
}

/** The last event must repeat the content of the earlier ones. */
function hearStream(text: string): Heard {
  const events = readEvents(text)
  const [created, begun] = events
  assert(created?.type === 'response.created' && begun?.type === 'response.in_progress', 'a stream opens with both')
  const last = events.at(-1)?.response
  assert(last !== undefined, 'a stream ends with the whole response')
  const done = events.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item ?? {})
  const added = events.filter(({ type }) => type === 'response.output_item.added')
  const deltasOf = (type: string): string =>
    events
      .filter((event) => event.type === type)
      .map(({ delta }) => delta)
      .join('')
  const spoken = deltasOf('response.output_text.delta')
  // A broken-off response is not read further.
  if (isJsonObject(last.error)) return { ...nothingHeard, text: spoken, error: errorOf(last.error) }
  const heard = heardResponse(last)
  const ordered = last.output.map((item) => done.find(({ id }) => id === item.id))
  assert(isDeepStrictEqual(ordered, last.output), 'every item of the response was told of')
  assert(added.length === done.length, 'every item that began has ended')
  assert(spoken === heard.text, 'deltas of text add up to the text')
  const thought = objectsIn(last.output).flatMap(summariesOf).join('')
  assert(deltasOf('response.reasoning_summary_text.delta') === thought, 'deltas of thoughts add up')
  return heard
}

function heardResponse(response: JsonObject): Heard {
  assert(response.object === 'response' && String(response.id).startsWith('resp_'), 'it is a response')
  const output = objectsIn(response.output)
  const content = output.filter(({ type }) => type === 'message').flatMap((item) => objectsIn(item.content))
  const thoughts = output.filter(({ type }) => type === 'reasoning')
  const calls = output.filter(({ type }) => type === 'function_call')
  const details = response.incomplete_details
  return {
    text: textsOf(content, 'output_text', 'text'),
    refusal: textsOf(content, 'refusal', 'refusal'),
    reasoning: thoughts.map((item) => summariesOf(item).join('\n\n')).join(''),
    seals: thoughts.flatMap((item) => stringAt(item, 'encrypted_content') ?? []),
    calls: calls.map((item) => {
      assert(item.status === 'completed' && typeof item.arguments === 'string', 'a call is complete')
      return {
        id: stringAt(item, 'call_id') ?? '',
        name: stringAt(item, 'name') ?? '',
        input: JSON.parse(item.arguments),
      }
    }),
    finish: isJsonObject(details) ? `${response.status}: ${details.reason}` : String(response.status),
    error: isJsonObject(response.error) ? errorOf(response.error) : null,
    usage: usageOf(response.usage),
    history: output,
  }
}

function summariesOf(item: JsonObject): string[] {
  return objectsIn(item.summary).map((part) => stringAt(part, 'text') ?? '')
}

function textsOf(content: readonly JsonObject[], type: string, member: string): string {
  return content.map((part) => (part.type === type ? (stringAt(part, member) ?? '') : '')).join('')
}

function errorOf(error: JsonObject): HeardError {
  assert(typeof error.message === 'string', 'an error has a message')
  return { message: error.message, code: error.code, type: error.type }
}

function usageOf(usage: unknown): HeardUsage | null {
  if (!isJsonObject(usage)) return null
  assert(Number(usage.input_tokens) + Number(usage.output_tokens) === usage.total_tokens, 'the total is the sum')
  return {
    input: Number(usage.input_tokens),
    cached: Number(objectAt(usage, 'input_tokens_details').cached_tokens),
    output: Number(usage.output_tokens),
    reasoning: Number(objectAt(usage, 'output_tokens_details').reasoning_tokens),
    cost: Number(usage.cost),
  }
}
