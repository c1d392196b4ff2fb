import { describe, expect, it } from 'vitest'
import { chatDialect } from '#dialects/chat/chat-dialect.ts'
import { assert } from '#lib/assert.ts'
import type { JsonObject, JsonValue } from '#lib/json.ts'
import { asGatewayError } from '#errors/gateway-error.ts'
import { wantedModel } from '#test/streams/test-ticket.ts'
import { imageTaskOf } from './image-task-of.ts'

const [base] = wantedModel.models
assert(base !== undefined, 'there is a model')
const model = { ...base, kind: 'image' as const }

const ask = (content: JsonValue, more: JsonObject = {}) =>
  imageTaskOf(
    chatDialect,
    chatDialect.parse({ model: 'acme/model', messages: [{ role: 'user', content }], ...more }),
    model,
  )

const image = (url: string) => ({ type: 'image_url', image_url: { url } })
const text = (words: string) => ({ type: 'text', text: words })

describe('the image that a conversation asks for', () => {
  it('is what its last message says', () => {
    const messages = [
      { role: 'user', content: 'A dog' },
      { role: 'assistant', content: 'Here.' },
      { role: 'user', content: ' A cat ' },
      { role: 'assistant', content: 'Well' },
    ]
    const call = chatDialect.parse({ model: 'acme/model', messages })
    expect(imageTaskOf(chatDialect, call, model)).toEqual({
      kind: 'image',
      prompt: 'A cat',
      count: 1,
      inputs: [],
      size: null,
      aspectRatio: null,
      quality: null,
      extras: {},
    })
  })

  it('starts from the images that its message shows', () => {
    const { prompt, inputs } = ask([text('A'), image('https://example.com/a.png'), text('hat')])
    expect(prompt).toBe('A\n\nhat')
    expect(inputs).toHaveLength(1)
  })

  it('needs words', () => {
    try {
      ask([{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }])
    } catch (error) {
      const { row, message } = asGatewayError(error)
      expect(row).toMatchObject({ status: 400, code: 'missing_prompt' })
      expect(message).toBe('The last message must include text that describes the image.')
      return
    }
    expect.fail('it was taken')
  })

  it.each<[JsonObject, JsonObject]>([
    [{ size: '512x256' }, { size: { width: 512, height: 256 }, aspectRatio: null, extras: {} }],
    [{ image_config: { image_size: '2k' } }, { size: null, extras: { resolution: '2K' } }],
    [{ size: '16:9' }, { size: null, aspectRatio: '16:9', extras: {} }],
    [{ size: '16:9', aspect_ratio: '1:1' }, { aspectRatio: '1:1' }],
    [
      { quality: 'high', image_config: { background: 'opaque' } },
      { quality: 'high', extras: { background: 'opaque' } },
    ],
    [{ output_format: 'png', negative_prompt: 'dogs' }, { extras: { output_format: 'png', negative_prompt: 'dogs' } }],
    [{ size: '16:9', image_config: { size: '512x256' } }, { size: { width: 512, height: 256 } }],
    [{ seed: 7 }, { extras: { seed: 7 } }],
    [{ background: 'opaque' }, { extras: { background: 'opaque' } }],
    [{ image_config: { background: null } }, { extras: {} }],
  ])('takes its form from %j', (fields, expected) => {
    expect(ask('A cat', fields)).toMatchObject(expected)
  })

  it('has only the fields of its form among its extras', () => {
    expect(ask('A cat', { size: '512x256', quality: 'high', aspect_ratio: '2:1', other: 1 }).extras).toEqual({})
  })
})
