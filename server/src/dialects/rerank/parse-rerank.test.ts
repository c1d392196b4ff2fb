import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '#lib/json.ts'
import { refusal } from '#test/setup/refusal.ts'
import { parseRerank } from './parse-rerank.ts'

const plain: JsonObject = { model: 'weir/maker/ranks', query: 'a mill', documents: ['fog', { text: 'A mill', id: 7 }] }

const many = (length: number): string[] => Array.from({ length }, () => 'fog')

function taskOf(body: JsonObject) {
  const task = parseRerank(body).media?.task
  if (task?.kind !== 'rerank') throw new Error('no ranking')
  return task
}

describe('[NEXT-130] a rerank request', () => {
  it('has documents as strings and as objects with text, and never streams', () => {
    expect(parseRerank({ ...plain, stream: true })).toMatchObject({
      modelName: 'maker/ranks',
      stream: false,
      maxTokens: 0,
      choiceCount: 1,
      hasTools: false,
      body: { ...plain, stream: true },
    })
    expect(taskOf(plain)).toEqual({
      kind: 'rerank',
      query: 'a mill',
      documents: ['fog', 'A mill'],
      top: null,
      documentTokensMax: null,
      returnsDocuments: false,
      extras: {},
    })
  })

  it("has Cohere's and Jina's options, and keeps other fields for upstreams that know them", () => {
    const options = { top_n: 1, max_tokens_per_doc: 512, return_documents: true, rank_fields: ['text'], priority: 3 }
    expect(taskOf({ ...plain, ...options, provider: {}, models: [] })).toMatchObject({
      top: 1,
      documentTokensMax: 512,
      returnsDocuments: true,
      extras: { priority: 3 },
    })
    const unsaid = { top_n: null, max_tokens_per_doc: null, return_documents: null }
    expect(taskOf({ ...plain, ...unsaid })).toEqual(taskOf(plain))
    expect(taskOf({ ...plain, return_documents: false }).returnsDocuments).toBe(false)
  })

  it.each<[string, JsonValue | undefined, string | number]>([
    ['model', undefined, 'missing_required_field'],
    ['query', undefined, 'missing_required_field'],
    ['query', null, 'missing_required_field'],
    ['query', '', 400],
    ['query', { image: 'x' }, 400],
    ['documents', undefined, 'missing_required_field'],
    ['documents', null, 'missing_required_field'],
    ['documents', 'fog', 400],
    ['documents', [], 400],
    ['top_n', 0, 400],
    ['top_n', -1, 400],
    ['top_n', 1.5, 400],
    ['top_n', '3', 400],
    ['max_tokens_per_doc', 0, 400],
    ['return_documents', 'yes', 400],
  ])('[NEXT-134] is refused with `%s` of %j', (name, value, code) => {
    expect(() => parseRerank({ ...plain, [name]: value })).toThrow(refusal(code, `\`${name}\``))
  })

  it.each([5, null, { image: 'x' }, ['a']])('[NEXT-134] is refused with a document of %j', (document) => {
    expect(() => parseRerank({ ...plain, documents: ['fog', document] })).toThrow(refusal(400, 'documents[1]'))
  })

  it('[NEXT-134] has at most a thousand documents', () => {
    expect(taskOf({ ...plain, documents: many(1_000) }).documents).toHaveLength(1_000)
    expect(() => parseRerank({ ...plain, documents: many(1_001) })).toThrow(refusal(400, 'has 1001 entries'))
  })
})
