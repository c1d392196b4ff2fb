import { describe, expect, it } from 'vitest'
import type { JsonValue } from '#lib/json.ts'
import { refusal } from '#test/setup/refusal.ts'
import { readInputs } from './read-inputs.ts'

const base64 = 'iVBORw0KGgo='
const url = `data:image/png;base64,${base64}`
const image = { kind: 'image', image: { kind: 'data', mediaType: 'image/png', base64 } }

describe('the input of embeddings', () => {
  it.each<[string, JsonValue, unknown[]]>([
    ['a text', 'a', [{ kind: 'text', text: 'a' }]],
    [
      'texts in their order',
      ['a', 'b'],
      [
        { kind: 'text', text: 'a' },
        { kind: 'text', text: 'b' },
      ],
    ],
    ['one list of token ids', [0, 2 ** 31 - 1], [{ kind: 'tokens', tokens: [0, 2_147_483_647] }]],
    [
      'several lists of token ids',
      [[1, 2], [3]],
      [
        { kind: 'tokens', tokens: [1, 2] },
        { kind: 'tokens', tokens: [3] },
      ],
    ],
    ['an item of plain text', { content: 'a' }, [{ kind: 'text', text: 'a' }]],
    [
      'an item of text parts, as one text',
      [
        {
          content: [
            { type: 'text', text: 'a' },
            { type: 'text', text: 'b' },
          ],
        },
      ],
      [{ kind: 'text', text: 'a\nb' }],
    ],
    [
      'an item of an image and a text, in their order',
      [
        {
          content: [
            { type: 'image_url', image_url: { url } },
            { type: 'text', text: 'a' },
          ],
        },
      ],
      [{ kind: 'parts', parts: [image, { kind: 'text', text: 'a' }] }],
    ],
    [
      'an image by its plain address',
      { content: [{ type: 'image_url', image_url: 'https://a.example/a.png' }] },
      [{ kind: 'parts', parts: [{ kind: 'image', image: { kind: 'url', url: 'https://a.example/a.png' } }] }],
    ],
    [
      'a text beside an item',
      ['a', { content: [{ type: 'image_url', image_url: url }] }],
      [
        { kind: 'text', text: 'a' },
        { kind: 'parts', parts: [image] },
      ],
    ],
  ])('may be %s', (_what, input, inputs) => {
    expect(readInputs(input)).toEqual(inputs)
  })

  it.each<[string, JsonValue | undefined, string | number, string]>([
    ['absent', undefined, 'missing_required_field', '`input` is required'],
    ['null', null, 'missing_required_field', '`input` is required'],
    ['a number', 5, 400, '`input` must be a string, an array of token ids, or an item'],
    ['an empty text', '', 400, '`input` is an empty string'],
    ['an empty list', [], 400, '`input` is an empty array. Send at least one string.'],
    ['a list with an empty text', ['a', ''], 400, 'input[1] is an empty string'],
    ['a list with null', ['a', null], 400, 'input[1] must be a string'],
    ['a list with a number after a text', ['a', 1], 400, 'input[1] must be a string'],
    ['a list with an empty list', [[1], []], 400, 'input[1] is an empty array of token ids.'],
    ['token ids with a text', [1, 'a'], 400, '`input` must contain only token ids'],
    ['a negative token id', [[1], [-1]], 400, 'input[1] must contain only token ids'],
    ['half a token id', [1, 1.5], 400, '`input` must contain only token ids'],
    ['a token id above 31 bits', [2 ** 31], 400, '`input` must contain only token ids'],
    ['token ids before texts', [[1], 'a'], 400, '`input` mixes token ids and strings.'],
    ['texts before token ids', ['a', 'b', [1]], 400, '`input` mixes token ids and strings.'],
    ['an item without content', {}, 400, '`input`.content must be an array of parts'],
    ['an item of no parts', [{ content: [] }], 400, 'input[0].content must be an array of parts'],
    ['an item of another kind', [{ content: { type: 'text' } }], 400, 'input[0].content must be an array of parts'],
    ['an item of an empty text', ['a', { content: '' }], 400, 'input[1].content is an empty string'],
    ['a part that is no object', [{ content: ['a'] }], 400, 'input[0].content[0] must be {"type":"text"'],
    ['a part without a type', [{ content: [{ text: 'a' }] }], 400, 'input[0].content[0] must be {"type":"text"'],
    ['a text part without text', [{ content: [{ type: 'text' }] }], 400, 'content[0] must be {"type":"text"'],
    [
      'an empty text part',
      [{ content: [{ type: 'text', text: '' }] }],
      400,
      'input[0].content[0].text is an empty string',
    ],
    [
      'an image without an address',
      [{ content: [{ type: 'text', text: 'a' }, { type: 'image_url' }] }],
      'invalid_image_url',
      'input[0].content[1].image_url.url must be an https:// URL',
    ],
    [
      'an image whose address is no text',
      [{ content: [{ type: 'image_url', image_url: { url: 5 } }] }],
      'invalid_image_url',
      'input[0].content[0].image_url.url must be',
    ],
    [
      'an image at an http address',
      [{ content: [{ type: 'image_url', image_url: { url: 'http://a.example/a.png' } }] }],
      'invalid_image_url',
      'input[0].content[0].image_url.url is an http:// URL',
    ],
  ])('may not be %s', (_what, input, code, text) => {
    expect(() => readInputs(input)).toThrow(refusal(code, text))
  })

  it('has at most 2,048 entries', () => {
    expect(readInputs(Array<JsonValue>(2_048).fill('a')).length).toBe(2_048)
    expect(() => readInputs(Array<JsonValue>(2_049).fill('a'))).toThrow(
      refusal(400, '`input` has 2049 entries; send at most 2048'),
    )
  })

  it('[B12] has at most 300,000 token ids, in one list or in many', () => {
    const list = Array<JsonValue>(150_000).fill(1)
    expect(readInputs([...list, ...list]).length).toBe(1)
    expect(() => readInputs([...list, ...list, 1])).toThrow(refusal(400, '300001 token ids; send at most 300000'))
    expect(readInputs([list, list]).length).toBe(2)
    expect(() => readInputs([list, list, [1]])).toThrow(refusal(400, '300001 token ids; send at most 300000'))
  })
})
