import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import type { JsonObject, JsonValue } from '#lib/json.ts'
import { emptyUsage } from '#test/setup/empty-usage.ts'
import type { MediaContext } from '../dialect.ts'
import { rerankDialect } from './rerank-dialect.ts'

describe('[NEXT-133] the texts of a ranking', () => {
  it('are the query and the documents, and nothing else', () => {
    const documents = ['a', { text: 'b', id: 'c' }, 5]
    expect(rerankDialect.texts({ model: 'x', query: 'q', documents, user: 'u' })).toEqual(['q', 'a', 'b'])
  })

  it('are replaced in their places, and nothing beside them', () => {
    const document = fc.oneof(
      fc.string(),
      fc.constant<JsonValue>(5),
      fc.string().map((text): JsonValue => ({ text, id: 'c' })),
    )
    fc.assert(
      fc.property(fc.string(), fc.array(document), (query, documents) => {
        const body: JsonObject = { query, documents, user: 'u' }
        const texts = rerankDialect.texts(body)
        expect(rerankDialect.withTexts(body, texts)).toBe(body)
        const marks = texts.map((_, index) => `#${index}`)
        const changed = rerankDialect.withTexts(body, marks)
        expect(rerankDialect.texts(changed)).toEqual(marks)
        expect(rerankDialect.withTexts(changed, texts)).toEqual(body)
      }),
    )
  })
})

describe('[NEXT-130] the answer', () => {
  const usage = { ...emptyUsage, uncachedInput: 7, media: { searchUnits: 2 } }

  function render({ returnsDocuments = false, isCharged = true, upstreamCost }: RenderCase = {}) {
    const context = {
      id: 'gen-1',
      model: 'maker/ranks',
      task: { kind: 'rerank', query: 'q', documents: ['fog', 'mill'], returnsDocuments },
    } as unknown as MediaContext
    const scores = [
      { index: 1, score: 0.75 },
      { index: 0, score: -0.5 },
    ]
    const charged = { usage, cost: nanoUsd(44n), ...(upstreamCost === undefined ? {} : { upstreamCost }) }
    const { contentType, body } = rerankDialect.render(
      { kind: 'rerank', scores, usage },
      isCharged ? charged : null,
      context,
    )
    expect(contentType).toBe('application/json; charset=utf-8')
    return JSON.parse(body)
  }

  interface RenderCase {
    returnsDocuments?: boolean
    isCharged?: boolean
    upstreamCost?: null
  }

  it('is read by clients of Cohere and of Jina, with the cost to the last digit', () => {
    expect(render()).toEqual({
      object: 'list',
      id: 'gen-1',
      model: 'maker/ranks',
      results: [
        { index: 1, relevance_score: 0.75 },
        { index: 0, relevance_score: -0.5 },
      ],
      meta: { billed_units: { search_units: 2 } },
      usage: { prompt_tokens: 7, total_tokens: 7, search_units: 2, cost: 0.000000044 },
    })
    expect(render({ upstreamCost: null }).usage.cost_details).toEqual({ upstream_inference_cost: null })
  })

  it('repeats the documents that the client wants back', () => {
    expect(render({ returnsDocuments: true }).results).toEqual([
      { index: 1, relevance_score: 0.75, document: { text: 'mill' } },
      { index: 0, relevance_score: -0.5, document: { text: 'fog' } },
    ])
  })

  it('counts nothing where nothing was charged', () => {
    const { meta, usage: shown } = render({ isCharged: false })
    expect(meta).toEqual({ billed_units: { search_units: 0 } })
    expect(shown).toEqual({ prompt_tokens: 0, total_tokens: 0, search_units: 0, cost: 0 })
  })
})
