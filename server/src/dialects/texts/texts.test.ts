import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '#lib/json.ts'
import { chatDialect } from '../chat/chat-dialect.ts'
import type { Dialect } from '../dialect.ts'
import { imageEditsDialect, imagesDialect } from '../images/images-dialect.ts'
import { codexRequest } from '../responses/fixtures/codex-request.ts'
import { messagesDialect } from '../messages/messages-dialect.ts'
import { responsesDialect } from '../responses/responses-dialect.ts'
import { transcriptionsDialect } from '../transcriptions/transcriptions-dialect.ts'

const media = [
  { type: 'image_url', image_url: { url: 'data:image/png;base64,secret' } },
  { type: 'input_audio', input_audio: { data: 'secret', format: 'wav' } },
  { type: 'file', file: { filename: 'secret', file_data: 'data:text/plain;base64,secret' } },
  { type: 'video_url', video_url: { url: 'https://secret.example' } },
  { type: 'input_image', image_url: 'data:image/png;base64,secret' },
  { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'secret' } },
  { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'secret' } },
]

describe('[FILTER-07] [FILTER-08] the texts of a body', () => {
  it('are those of chat messages of every role, in strings and in parts', () => {
    const body: JsonObject = {
      model: 'secret',
      messages: [
        { role: 'system', content: 'a' },
        { role: 'user', name: 'secret', content: [{ type: 'text', text: 'b' }, ...media, { type: 'text', text: 'c' }] },
        { role: 'assistant', content: null, tool_calls: [{ id: 'x', function: { name: 'f', arguments: 'secret' } }] },
        { role: 'tool', tool_call_id: 'x', content: 'd' },
        { role: 'tool', tool_call_id: 'x', content: [{ type: 'text', text: 'e' }] },
        { role: 'assistant', content: 'f', reasoning: 'secret' },
      ],
      prediction: { type: 'content', content: [{ type: 'text', text: 'g' }] },
      tools: [{ type: 'function', function: { name: 'f', description: 'secret' } }],
    }
    expect(chatDialect.texts(body)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g'])
  })

  it('are the input of Responses as a string, its instructions, messages and outputs of tools', () => {
    expect(responsesDialect.texts({ instructions: 'a', input: 'b' })).toEqual(['a', 'b'])
    expect(responsesDialect.texts(codexRequest)).toEqual([
      'You are a coding agent.',
      '<permissions>read-only</permissions>',
      '<environment_context/>',
      'List the files.',
      '{"output":"README.md\\n","metadata":{"exit_code":0}}',
      '/home',
    ])
    const items = [
      { role: 'user', content: [...media, { type: 'input_text', text: 'c' }] },
      // The model receives the output as JSON, so its nested values count too.
      { type: 'function_call_output', call_id: 'x', output: ['d', 5] },
      { type: 'custom_tool_call_output', call_id: 'x', output: 'e' },
    ]
    expect(responsesDialect.texts({ input: items })).toEqual(['c', 'd', 'e'])
  })

  it('are the system prompt, text blocks and results of tools in Messages, and documents of plain text', () => {
    expect(messagesDialect.texts({ system: 'a', messages: [{ role: 'user', content: 'b' }] })).toEqual(['a', 'b'])
    const content = [
      { type: 'text', text: 'b' },
      ...media,
      { type: 'thinking', thinking: 'secret', signature: 'secret' },
      { type: 'tool_use', id: 'x', name: 'f', input: { q: 'secret' } },
      { type: 'tool_result', tool_use_id: 'x', content: 'c' },
      { type: 'tool_result', tool_use_id: 'x', content: [{ type: 'text', text: 'd' }, ...media] },
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'e' } },
      { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'f' }] } },
    ]
    const body = { system: [{ type: 'text', text: 'a', cache_control: {} }], messages: [{ role: 'user', content }] }
    expect(messagesDialect.texts(body)).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
  })
})

it.each([chatDialect, responsesDialect, messagesDialect])('are those of a predicted answer in $name', (dialect) => {
  expect(dialect.texts({ prediction: { type: 'content', content: 'a' } })).toEqual(['a'])
})

it.each([chatDialect, responsesDialect, messagesDialect, imagesDialect, imageEditsDialect])(
  'are also what a host of images is told in $name beside the prompt',
  (dialect) => {
    const words = { negative_prompt: 'a', search_prompt: 'b', select_prompt: 'c' }
    expect(dialect.texts({ ...words, image_config: { ...words, prompt: 'd', aspect_ratio: '16:9' } })).toEqual([
      'a',
      'b',
      'c',
      'd',
      'a',
      'b',
      'c',
    ])
  },
)

it('are the names of speakers that a transcription is to know', () => {
  const body = { prompt: 'a', known_speaker_names: ['b', 'c'], 'known_speaker_names[]': 'd', language: 'en' }
  expect(transcriptionsDialect.texts(body)).toEqual(['a', 'b', 'c', 'd'])
})

describe.each([chatDialect, responsesDialect, messagesDialect])('with the $name dialect', (dialect: Dialect) => {
  it('a body given its own texts is the very same object', () => {
    fc.assert(
      fc.property(bodies, (body) => {
        expect(dialect.withTexts(body, dialect.texts(body))).toBe(body)
      }),
    )
  })

  it('[FILTER-02] replacing texts changes these strings and nothing else, and leaves the given body alone', () => {
    fc.assert(
      fc.property(bodies, (body) => {
        const before = JSON.stringify(body)
        const texts = dialect.texts(body)
        const changed = dialect.withTexts(
          body,
          texts.map((_, index) => `#${index}#`),
        )
        expect(JSON.stringify(body)).toBe(before)
        expect(dialect.texts(changed)).toEqual(texts.map((_, index) => `#${index}#`))
        const restored = restore(changed, texts)
        expect(restored).toEqual(body)
      }),
    )
  })
})

/** Undoes the replacement without knowing where the texts are: the placeholders occur nowhere else. */
function restore(value: JsonValue, texts: readonly string[]): JsonValue {
  if (typeof value === 'string') {
    const [, index] = /^#(\d+)#$/.exec(value) ?? []
    return index === undefined ? value : (texts[Number(index)] ?? value)
  }
  if (Array.isArray(value)) return value.map((item) => restore(item, texts))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, restore(item ?? null, texts)]))
}

const word = fc.string().filter((text) => !text.includes('#'))
const part = fc.oneof(
  fc.record({ type: fc.constantFrom('text', 'input_text', 'output_text', 'new'), text: word }),
  fc.constantFrom<JsonValue>(...media),
  fc.record({ type: fc.constant('tool_result'), tool_use_id: word, content: fc.oneof(word, fc.constant(null)) }),
  fc.record({ type: fc.constant('thinking'), thinking: word }),
  word,
  fc.constant(null),
)
const content = fc.oneof(word, fc.constant(null), fc.array(part, { maxLength: 4 }))
const message = fc.record({ role: fc.constantFrom('system', 'user', 'assistant', 'tool'), content, name: word })
const item = fc.oneof(
  message,
  fc.record({ type: fc.constant('function_call_output'), call_id: word, output: content }),
  fc.record({ type: fc.constant('function_call'), call_id: word, arguments: word }),
  fc.record({ type: fc.constant('reasoning'), encrypted_content: word }),
)
const bodies: fc.Arbitrary<JsonObject> = fc.record(
  {
    model: word,
    messages: fc.array(message, { maxLength: 4 }),
    input: fc.oneof(word, fc.array(item, { maxLength: 4 })),
    instructions: fc.oneof(word, fc.constant(null)),
    system: content,
    prediction: fc.record({ type: fc.constant('content'), content }),
    tools: fc.array(fc.record({ description: word }), { maxLength: 2 }),
  },
  { requiredKeys: [] },
)
