import { describe, expect, it } from 'vitest'
import type { RerankTask } from '#domain/media/media-task.ts'
import type { JsonObject } from '#lib/json.ts'
import { refusal } from '#test/setup/refusal.ts'
import { emptyUsage } from '#test/setup/empty-usage.ts'
import { UnusableAnswerError } from '../faults.ts'
import { rerankWith } from './rerank-with.ts'

const target = {
  baseUrl: 'https://ranks.example/v1',
  authentication: { kind: 'bearer' },
  credential: 'secret',
  upstreamModel: 'ranks-1',
  model: 'maker/ranks',
  details: {},
} as const

const plain: RerankTask = {
  kind: 'rerank',
  query: 'a mill',
  documents: ['fog', 'mill', 'river'],
  top: null,
  documentTokensMax: null,
  returnsDocuments: true,
  extras: {},
}

const tokens = { usage: { total_tokens: 9, prompt_tokens: 8 } }
const scored = (...pairs: readonly (readonly [number, number])[]): JsonObject => ({
  results: pairs.map(([index, relevance_score]) => ({ index, relevance_score })),
})

function play(answer: JsonObject, task: Partial<RerankTask> = {}, codec = rerankWith()) {
  const script = codec.converse({ ...plain, ...task }, target)
  const first = script.next()
  if (first.done === true || first.value.kind !== 'send') throw new Error('no request')
  const { origin, path, body } = first.value.request
  const sent: JsonObject = JSON.parse(typeof body === 'string' ? body : body.join(''))
  const { done, value } = script.next({ status: 200, headers: {}, body: Buffer.from(JSON.stringify(answer)) })
  if (done !== true) throw new Error('no result')
  return { url: `${origin}${path}`, sent, result: value }
}

describe('[NEXT-130] what an upstream is asked', () => {
  it('is the query and the documents as strings, without the wish for documents', () => {
    const { url, sent } = play({ ...scored([0, 1]), ...tokens })
    expect(url).toBe('https://ranks.example/v1/rerank')
    expect(sent).toEqual({ model: 'ranks-1', query: 'a mill', documents: ['fog', 'mill', 'river'] })
  })

  it('has the number of results, at most that of the documents, in the upstream word', () => {
    const answer = { ...scored([0, 1]), ...tokens }
    expect(play(answer, { top: 2 }).sent).toMatchObject({ top_n: 2 })
    expect(play(answer, { top: 7 }).sent).toMatchObject({ top_n: 3 })
    expect(play(answer, { top: 2 }, rerankWith({ topField: 'top_k' })).sent).toMatchObject({ top_k: 2 })
  })

  it('goes to the path and address of the rerank API', () => {
    const codec = rerankWith({ path: '/v2/rerank', baseUrlOf: (url) => url.replace('/v1', '/native') })
    expect(play({ ...scored([0, 1]), ...tokens }, {}, codec).url).toBe('https://ranks.example/native/v2/rerank')
  })

  it('forgoes documents at upstreams that repeat them', () => {
    const { sent } = play({ ...scored([0, 1]), ...tokens }, {}, rerankWith({ repeatsDocuments: true }))
    expect(sent).toMatchObject({ return_documents: false })
  })

  it('has known numbers and switches, and names what the upstream is not told', () => {
    const task = {
      ...plain,
      documentTokensMax: 9,
      extras: { priority: 3, fast: true, task: 'any text', priorities: 1 },
    }
    const codec = rerankWith({ extras: ['priority', 'fast', 'task'] })
    expect(play({ ...scored([0, 1]), ...tokens }, task, codec).sent).toEqual({
      model: 'ranks-1',
      query: 'a mill',
      documents: ['fog', 'mill', 'river'],
      priority: 3,
      fast: true,
    })
    expect(codec.ignored?.(task, target)).toEqual(['max_tokens_per_doc', 'task', 'priorities'])
    const cutting = rerankWith({ cutsDocuments: true })
    expect(play({ ...scored([0, 1]), ...tokens }, task, cutting).sent).toMatchObject({ max_tokens_per_doc: 9 })
    expect(play({ ...scored([0, 1]), ...tokens }, {}, cutting).sent).not.toHaveProperty('max_tokens_per_doc')
    expect(cutting.ignored?.(plain, target)).toEqual([])
    expect(cutting.ignored?.(task, target)).toEqual(['priority', 'fast', 'task', 'priorities'])
    expect(rerankWith().ignored?.(plain, target)).toEqual([])
  })

  it('is left to others by an upstream that takes fewer documents', () => {
    const answer = { ...scored([0, 1]), ...tokens }
    expect(() => play(answer, {}, rerankWith({ documentsMax: 2 }))).toThrow(
      refusal('unsupported_param', 'at most 2 documents'),
    )
    expect(play(answer, {}, rerankWith({ documentsMax: 3 })).result.scores).toHaveLength(1)
  })
})

describe('[NEXT-130] what is read of an answer', () => {
  it('is the best documents first, at most as many as were asked for', () => {
    const { results = [] } = scored([0, 0.1], [1, 0.9], [2, -3])
    const answer = { results, ...tokens }
    const best = [
      { index: 1, score: 0.9 },
      { index: 0, score: 0.1 },
      { index: 2, score: -3 },
    ]
    expect(play(answer).result.scores).toEqual(best)
    expect(play(answer, { top: 2 }).result.scores).toEqual(best.slice(0, 2))
    expect(play({ data: results, ...tokens }).result.scores).toEqual(best)
  })

  it.each<[string, JsonObject]>([
    ['nothing', {}],
    ['no result', scored()],
    ['a document that was not sent', scored([3, 1])],
    ['a negative index', scored([-1, 1])],
    ['a document twice', scored([0, 1], [0, 2])],
    ['a score that is no number', { results: [{ index: 0, relevance_score: '1' }] }],
    ['no score', { results: [{ index: 0 }] }],
  ])('is an error for %s', (_what, answer) => {
    expect(() => play({ ...answer, ...tokens })).toThrow(UnusableAnswerError)
  })

  it.each<[string, JsonObject, number, number]>([
    ['all tokens', tokens, 9, 1],
    ['prompt tokens', { usage: { prompt_tokens: 8 } }, 8, 1],
    ["SiliconFlow's tokens", { tokens: { input_tokens: 7 } }, 7, 1],
    ["SiliconFlow's other tokens", { meta: { tokens: { input_tokens: 6 } } }, 6, 1],
    ["Cohere's search units", { meta: { billed_units: { search_units: 4 } } }, 0, 4],
    ["OpenRouter's search units", { usage: { search_units: 5, total_tokens: 3 } }, 3, 5],
  ])('[NEXT-131] is the usage in %s', (_what, counts, uncachedInput, searchUnits) => {
    const { usage } = play({ ...scored([0, 1]), ...counts }).result
    expect(usage).toEqual({ ...emptyUsage, uncachedInput, media: { searchUnits } })
  })

  it('[NEXT-131] assumes a search for each hundred documents of an upstream that counts only tokens', () => {
    const documents = Array.from({ length: 201 }, () => 'fog')
    expect(play({ ...scored([0, 1]), ...tokens }, { documents }).result.usage?.media).toEqual({ searchUnits: 3 })
  })

  it('[NEXT-131] is no usage of an upstream that counts nothing', () => {
    expect(play(scored([0, 1])).result.usage).toBeNull()
  })
})
