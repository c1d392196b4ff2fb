import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '#lib/json.ts'
import { emptyUsage } from '#test/setup/empty-usage.ts'
import { refusal } from '#test/setup/refusal.ts'
import { moderationsDialect } from './moderations-dialect.ts'
import { moderationTexts, parseModeration } from './parse-moderation.ts'

const plain: JsonObject = { model: 'weir/maker/judge', input: 'Hello there' }
const data = 'data:image/png;base64,iVBORw0KGgo='
const text = (words: string): JsonObject => ({ type: 'text', text: words })
const image = (url: string): JsonObject => ({ type: 'image_url', image_url: { url } })

const strings = (count: number): string[] => Array.from({ length: count }, () => 'a')
const parts = (count: number): JsonObject[] => Array.from({ length: count }, () => text('a'))
const nameOf = (model: JsonValue | undefined) => parseModeration({ ...plain, model }).modelName

function taskOf(input: JsonValue) {
  const task = parseModeration({ ...plain, input }).media?.task
  if (task?.kind !== 'moderation') throw new Error('no moderation')
  return task
}

describe('[NEXT-147] a moderation request', () => {
  it('tells the pipeline what to send and to hold, and never streams', () => {
    // Eleven bytes are three tokens, in a template of at most 128.
    const media = { inputCharacters: 11 }
    expect(parseModeration({ ...plain, stream: true })).toEqual({
      modelName: 'maker/judge',
      stream: false,
      maxTokens: 0,
      choiceCount: 1,
      hasTools: false,
      promptTokensEstimate: 3,
      promptTokensHeld: 131,
      body: { ...plain, stream: true },
      media: {
        task: { kind: 'moderation', inputs: [[{ kind: 'text', text: 'Hello there' }]] },
        worst: { ...emptyUsage, uncachedInput: 131, media },
        most: { ...emptyUsage, uncachedInput: 139, media },
      },
    })
    expect(parseModeration({ ...plain, input: ['abcd', ''] })).toMatchObject({ promptTokensHeld: 257 })
    expect(parseModeration({ ...plain, input: '' }).media?.most).toMatchObject({ uncachedInput: 128 })
  })

  it("has OpenAI's model where it names none, or names it as OpenAI does", () => {
    expect(nameOf(undefined)).toBe('openai/omni-moderation-latest')
    expect(nameOf(null)).toBe('openai/omni-moderation-latest')
    expect(nameOf('omni-moderation-2024-09-26')).toBe('openai/omni-moderation-2024-09-26')
    expect(nameOf('maker/omni-moderation')).toBe('maker/omni-moderation')
  })

  it('has an input for each string, and one of all parts', () => {
    expect(taskOf(['a', 'b']).inputs).toEqual([[{ kind: 'text', text: 'a' }], [{ kind: 'text', text: 'b' }]])
    expect(taskOf([text('a'), image(data), image('https://a.example/1.png')]).inputs).toEqual([
      [
        { kind: 'text', text: 'a' },
        { kind: 'image', image: { kind: 'data', mediaType: 'image/png', base64: 'iVBORw0KGgo=' } },
        { kind: 'image', image: { kind: 'url', url: 'https://a.example/1.png' } },
      ],
    ])
    expect(moderationTexts(taskOf([text('a'), image(data), text('b')]))).toEqual(['a', 'b'])
  })

  it.each<[JsonValue | undefined, string | number]>([
    [undefined, 'missing_required_field'],
    [null, 'missing_required_field'],
    [5, 400],
    [[], 400],
    [[5], 400],
    [['a', text('b')], 400],
    [[{ type: 'text' }], 400],
    [[{ type: 'image_url' }], 'invalid_image_url'],
    [[image('http://a.example/1.png')], 'invalid_image_url'],
    [[image('data:image/png;base64,aGVsbG8=')], 'invalid_image_type'],
  ])('[NEXT-149] is refused with an input of %j', (input, code) => {
    expect(() => parseModeration({ ...plain, input })).toThrow(refusal(code, 'input'))
  })

  it('[NEXT-149] has at most 256 strings, or 32 parts, and a model that is a string', () => {
    expect(taskOf(strings(256)).inputs).toHaveLength(256)
    expect(() => taskOf(strings(257))).toThrow(refusal(400, '257 entries'))
    expect(taskOf(parts(32)).inputs[0]).toHaveLength(32)
    expect(() => taskOf(parts(33))).toThrow(refusal(400, '33 entries'))
    expect(() => parseModeration({ ...plain, model: 5 })).toThrow(refusal(400, '`model`'))
  })
})

it('[NEXT-148] content filters read and replace all texts', () => {
  expect(moderationsDialect.texts(plain)).toEqual(['Hello there'])
  expect(moderationsDialect.texts({ input: ['a', 'b'] })).toEqual(['a', 'b'])
  const body = { input: [text('a'), image(data), text('b')] }
  expect(moderationsDialect.texts(body)).toEqual(['a', 'b'])
  expect(moderationsDialect.withTexts(body, ['x', 'y'])).toEqual({ input: [text('x'), image(data), text('y')] })
})
