import { describe, expect, it } from 'vitest'
import type { JsonValue } from '#lib/json.ts'
import { checkMessages, checkSystem } from './check-messages.ts'

const withBlock = (block: JsonValue): JsonValue[] => [{ role: 'user', content: [{ type: 'text', text: 'See' }, block] }]
const refusalOf = (errorName: string, text = '') =>
  expect.objectContaining({ errorName, message: expect.stringContaining(text) })

describe('messages of the Messages dialect', () => {
  it.each<[string, JsonValue[], string]>([
    ['no object', ['Hello'], 'messages[0] must be an object.'],
    ['no role', [{ content: 'Hello' }], 'messages[0].role must be a string.'],
    ['content of another kind', [{ role: 'user', content: 5 }], 'messages[0].content must be a string or an array'],
    ['a block that is no object', withBlock('Hello'), 'messages[0].content[1] must be an object with a `type`.'],
    ['a block without a type', withBlock({ text: 'a' }), 'messages[0].content[1] must be an object with a `type`.'],
    ['text that is no string', withBlock({ type: 'text' }), 'messages[0].content[1].text must be a string.'],
    ['an image without a source', withBlock({ type: 'image' }), 'messages[0].content[1].source must be an object.'],
    ['a document without a source', withBlock({ type: 'document' }), '.source must be an object.'],
  ])('with %s are refused, and the place is named', (_what, messages, text) => {
    expect(() => checkMessages(messages)).toThrow(refusalOf('malformedRequest', text))
  })

  it.each<[string, JsonValue, string]>([
    ['a role that is no string', { role: 5, content: 'Hello' }, 'messages[1].role must be a string.'],
    [
      'a role that is misspelt',
      { role: 'usr', content: 'Hello' },
      'messages[1].role must be one of user, assistant, system.',
    ],
    ['no content', { role: 'user' }, 'messages[1].content is required.'],
    [
      'a call of no name',
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a' }] },
      'content[0] needs an `id` and a `name`.',
    ],
    [
      'a result of no call',
      { role: 'assistant', content: [{ type: 'tool_result' }] },
      'content[0].tool_use_id is required.',
    ],
    [
      'a call whose id is no string',
      { role: 'assistant', content: [{ type: 'tool_use', id: 5, name: 'f' }] },
      'messages[1].content[0] needs',
    ],
    [
      'a type that is no string',
      { role: 'assistant', content: [{ type: 5 }] },
      'messages[1].content[0] must be an object with',
    ],
    ['null for a block', { role: 'assistant', content: [null] }, 'messages[1].content[0] must be an object with'],
  ])('with %s later on are refused by their place', (_what, message, text) => {
    expect(() => checkMessages([{ role: 'user', content: 'Hello' }, message])).toThrow(text)
  })

  it('may have a document at any address, which the upstream fetches', () => {
    const document = { type: 'document', source: { type: 'url', url: 'http://a.example/a.pdf' } }
    expect(() => checkMessages(withBlock(document))).not.toThrow()
  })

  it('without content are refused', () => {
    for (const content of [{}, { content: null }]) {
      expect(() => checkMessages([{ role: 'user', ...content }])).toThrow(refusalOf('missingRequiredField', 'content'))
    }
  })

  it('with an image at a place that is none are refused', () => {
    const image = { type: 'image', source: { type: 'url', url: 'ftp://a.example/a.png' } }
    expect(() => checkMessages(withBlock(image))).toThrow(refusalOf('invalidImageUrl', 'content[1].source.url'))
  })

  it.each<[string, JsonValue]>([
    ['a call without an id', { type: 'tool_use', name: 'f', input: {} }],
    ['a call without a name', { type: 'tool_use', id: 'a', input: {} }],
    ['a result of no call', { type: 'tool_result', content: 'x' }],
  ])('with %s are refused', (_what, block) => {
    expect(() => checkMessages(withBlock(block))).toThrow(refusalOf('malformedToolMessages', 'content[1]'))
  })

  it('pass with everything else', () => {
    const blocks = [
      { type: 'hologram' },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
      { type: 'tool_use', id: 'a', name: 'f', input: {} },
      { type: 'tool_result', tool_use_id: 'a', content: 'x' },
    ]
    for (const block of blocks) expect(() => checkMessages(withBlock(block))).not.toThrow()
  })
})

describe('a system prompt', () => {
  it.each<JsonValue | undefined>([undefined, null, 'Be brief.', [{ type: 'text', text: 'Be brief.' }]])(
    'may be %j',
    (system) => {
      expect(() => checkSystem(system)).not.toThrow()
    },
  )

  it.each<[JsonValue, string]>([
    [5, '`system` must be a string or an array of blocks.'],
    [['Be brief.'], 'system[0] must be an object with a `type`.'],
    [[{ type: 'text' }], 'system[0].text must be a string.'],
  ])('may not be %j', (system, text) => {
    expect(() => checkSystem(system)).toThrow(refusalOf('malformedRequest', text))
  })
})
