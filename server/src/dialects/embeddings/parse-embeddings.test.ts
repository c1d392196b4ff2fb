import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '#lib/json.ts'
import { emptyUsage } from '#test/setup/empty-usage.ts'
import { refusal } from '#test/setup/refusal.ts'
import { parseEmbeddings } from './parse-embeddings.ts'

const plain: JsonObject = { model: 'maker/model', input: 'Hello there' }
const png = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }

function taskOf(body: JsonObject) {
  const task = parseEmbeddings(body).media?.task
  if (task?.kind !== 'embedding') throw new Error('not an embedding')
  return task
}

describe('an embeddings request', () => {
  it('tells the pipeline what to send and to hold, and never streams', () => {
    const body = { ...plain, stream: true }
    // Eleven bytes are three tokens, and each text adds two special tokens.
    expect(parseEmbeddings(body)).toEqual({
      modelName: 'maker/model',
      stream: false,
      maxTokens: 0,
      choiceCount: 1,
      hasTools: false,
      promptTokensEstimate: 5,
      promptTokensHeld: 5,
      body,
      media: {
        task: {
          kind: 'embedding',
          inputs: [{ kind: 'text', text: 'Hello there' }],
          dimensions: null,
          encoding: null,
          extras: {},
        },
        worst: { ...emptyUsage, uncachedInput: 5 },
        most: { ...emptyUsage, uncachedInput: 13 },
      },
    })
  })

  it('counts the text beside an image, 1,200 tokens for each image, and holds the most of each', () => {
    const input = [{ content: [{ type: 'text', text: 'abcdefgh' }, png, png] }]
    expect(parseEmbeddings({ ...plain, input })).toMatchObject({
      promptTokensEstimate: 2_404,
      promptTokensHeld: 2_404,
      media: { worst: { uncachedInput: 4, media: { inputImages: 2, inputImageTokens: 72_000 } } },
    })
  })

  it('counts each token id, and two marks for each list', () => {
    expect(parseEmbeddings({ ...plain, input: [[1, 2, 3], [4]] })).toMatchObject({ promptTokensEstimate: 8 })
  })

  it.each([
    ['weir/maker/model', 'maker/model'],
    ['maker/model', 'maker/model'],
    ['maker/weir/', 'maker/weir/'],
  ])('names the model %s as %s', (model, name) => {
    expect(parseEmbeddings({ ...plain, model }).modelName).toBe(name)
  })

  it.each(['models', 'provider', 'stream', 'stream_options', 'route', 'transforms', 'plugins', 'prediction', 'usage'])(
    'keeps `%s` from the upstream',
    (name) => {
      expect(taskOf({ ...plain, [name]: 'x', input_type: 'query' }).extras).toEqual({ input_type: 'query' })
    },
  )

  it('passes on the length and the form of the vectors', () => {
    const asked = { dimensions: 1, encoding_format: 'base64' }
    expect(taskOf({ ...plain, ...asked })).toMatchObject({ dimensions: 1, encoding: 'base64', extras: {} })
    const unsaid = { dimensions: null, encoding_format: null }
    expect(taskOf({ ...plain, ...unsaid })).toMatchObject({ dimensions: null, encoding: null, extras: {} })
  })

  it.each<[string, JsonValue | undefined, string | number]>([
    ['model', undefined, 'missing_required_field'],
    ['model', null, 'missing_required_field'],
    ['model', 7, 400],
    ['input', undefined, 'missing_required_field'],
    ['input', null, 'missing_required_field'],
    ['dimensions', 0, 400],
    ['dimensions', -1, 400],
    ['dimensions', 1.5, 400],
    ['dimensions', '256', 400],
    ['dimensions', 2 ** 53, 400],
    ['encoding_format', '', 400],
    ['encoding_format', 5, 400],
  ])('is refused with `%s` of %j', (name, value, code) => {
    expect(() => parseEmbeddings({ ...plain, [name]: value })).toThrow(refusal(code, `\`${name}\``))
  })

  it('names at most 32 images by their addresses; those that are sent whole are not counted', () => {
    const named = { type: 'image_url', image_url: { url: 'https://a.example/a.png' } }
    expect(imagesOf(32, named)).toBe(32)
    expect(() => imagesOf(33, named)).toThrow(refusal('too_many_images', '33 image URLs; the limit is 32 per request'))
    expect(imagesOf(100, png)).toBe(100)
  })
})

function imagesOf(count: number, part: JsonObject): number | undefined {
  const input = [{ content: Array<JsonValue>(count).fill(part) }]
  return parseEmbeddings({ ...plain, input }).media?.worst.media?.inputImages
}
