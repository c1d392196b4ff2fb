import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { noUsage, type Usage } from '#domain/inference/usage.ts'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import type { JsonObject, JsonValue } from '#lib/json.ts'
import type { DialectCall, MediaContext } from '../dialect.ts'
import { embeddingsDialect } from './embeddings-dialect.ts'

const png = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB'
const image = { type: 'image_url', image_url: { url: png } }

function parse(body: JsonObject): DialectCall {
  return embeddingsDialect.parse({ model: 'weir/openai/text-embedding-3-small', ...body }, [])
}

function taskOf(body: JsonObject) {
  const { media } = parse(body)
  if (media?.task.kind !== 'embedding') throw new Error('not an embedding')
  return media.task
}

function heldOf(input: JsonValue) {
  return parse({ input }).media?.worst
}

describe('what a body of embeddings asks for', () => {
  it('[EMB-01] is one vector for each text, list of token ids or item', () => {
    expect(taskOf({ input: 'a' }).inputs).toEqual([{ kind: 'text', text: 'a' }])
    expect(taskOf({ input: ['a', 'b'] }).inputs).toHaveLength(2)
    expect(taskOf({ input: [1, 2] }).inputs).toEqual([{ kind: 'tokens', tokens: [1, 2] }])
    expect(taskOf({ input: [[1], [2]] }).inputs).toHaveLength(2)
    expect(taskOf({ input: { content: 'a' } }).inputs).toEqual([{ kind: 'text', text: 'a' }])
    expect(taskOf({ input: [{ content: [{ type: 'text', text: 'a' }, image] }] }).inputs).toMatchObject([
      {
        kind: 'parts',
        parts: [
          { kind: 'text', text: 'a' },
          { kind: 'image', image: { mediaType: 'image/png' } },
        ],
      },
    ])
  })

  it('keeps what is for us from the upstream, and everything else for it', () => {
    const task = taskOf({ input: 'a', provider: {}, models: [], stream: true, user: 'u', truncate: 'END' })
    expect(task.extras).toEqual({ user: 'u', truncate: 'END' })
    expect(parse({ input: 'a' })).toMatchObject({ modelName: 'openai/text-embedding-3-small', stream: false })
  })

  it('[EMB-07] is held for: by the bytes of its texts, its token ids and its images', () => {
    expect(heldOf('abcd'.repeat(100))).toEqual({ ...noUsage, uncachedInput: 102 })
    expect(heldOf([[1, 2, 3]])).toEqual({ ...noUsage, uncachedInput: 5 })
    expect(heldOf([{ content: [image, image] }])).toEqual({
      ...noUsage,
      uncachedInput: 2,
      media: { inputImages: 2, inputImageTokens: 72_000 },
    })
  })

  it('cannot be read where it is token ids', () => {
    expect(embeddingsDialect.unreadableFor?.(parse({ input: [1, 2] }))).toContain('Send strings')
    expect(embeddingsDialect.unreadableFor?.(parse({ input: ['a'] }))).toBeNull()
  })
})

describe('[FILTER-07] the texts of embeddings', () => {
  it('are all that become vectors, and nothing else', () => {
    expect(embeddingsDialect.texts({ model: 'x', input: 'a', user: 'u' })).toEqual(['a'])
    const input = ['a', [1, 2], { content: 'b' }, { content: [{ type: 'text', text: 'c' }, image] }]
    expect(embeddingsDialect.texts({ input })).toEqual(['a', 'b', 'c'])
  })

  it('[FILTER-02] are replaced in their places, and nothing beside them', () => {
    const item = fc.oneof(
      fc.string(),
      fc.constant<JsonValue>([1, 2]),
      fc.string().map((text): JsonValue => ({ content: [{ type: 'text', text }, image] })),
    )
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.array(item)), (input) => {
        const body: JsonObject = { input, user: 'u' }
        const texts = embeddingsDialect.texts(body)
        expect(embeddingsDialect.withTexts(body, texts)).toBe(body)
        const marks = texts.map((_, index) => `#${index}`)
        const changed = embeddingsDialect.withTexts(body, marks)
        expect(embeddingsDialect.texts(changed)).toEqual(marks)
        expect(embeddingsDialect.withTexts(changed, texts)).toEqual(body)
      }),
    )
  })
})

describe('the answer', () => {
  const usage: Usage = { ...noUsage, uncachedInput: 3, media: { inputImageTokens: 4 } }

  function render(encoding: string | null, upstreamCost?: null) {
    const context = {
      model: 'openai/text-embedding-3-small',
      task: { kind: 'embedding', inputs: [], dimensions: null, encoding, extras: {} },
    } as unknown as MediaContext
    const charged = { usage, cost: nanoUsd(44n), ...(upstreamCost === undefined ? {} : { upstreamCost }) }
    const result = { kind: 'embedding' as const, vectors: [[1, -2], 'AACAPwAAAMA='], usage }
    return embeddingsDialect.render(result, charged, context)
  }

  function vectorsOf(encoding: string | null) {
    return JSON.parse(render(encoding).body).data.map((each: JsonObject) => each.embedding)
  }

  it('[EMB-05] has every vector in the form that was asked for, and others as they came', () => {
    for (const encoding of [null, 'float'])
      expect(vectorsOf(encoding)).toEqual([
        [1, -2],
        [1, -2],
      ])
    expect(vectorsOf('base64')).toEqual(['AACAPwAAAMA=', 'AACAPwAAAMA='])
    expect(vectorsOf('ubinary')).toEqual([[1, -2], 'AACAPwAAAMA='])
  })

  it('counts images among the tokens, and shows the cost to the last digit', () => {
    expect(render(null).body).toContain('"usage":{"prompt_tokens":7,"total_tokens":7,"cost":0.000000044}')
    expect(render(null, null).body).toContain('"cost_details":{"upstream_inference_cost":null}')
  })
})
