import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { UnusableAnswerError } from '../faults.ts'
import { liftVectors } from './lift-vectors.ts'
import { readEmbeddingFailure } from './read-embedding-failure.ts'
import { readListedVectors } from './read-vectors.ts'

function lift(text: string) {
  return liftVectors({ status: 200, headers: {}, body: Buffer.from(text) }, readEmbeddingFailure)
}

/** Reads the response as a client would. */
function read(text: string): unknown {
  const { answer, lifted } = lift(text)
  return readListedVectors(answer, lifted).map((vector) =>
    typeof vector === 'object' && 'json' in vector ? JSON.parse(vector.json) : vector,
  )
}

describe('vectors that are not read', () => {
  const vectors = fc.array(fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 }))

  it('are those that were sent, however they are written, and so is all beside them', () => {
    fc.assert(
      fc.property(vectors, fc.string({ unit: 'grapheme' }), fc.constantFrom(0, 1, 2), (lists, model, indent) => {
        const data = lists.map((embedding, index) => ({ object: 'embedding', index, embedding }))
        const text = JSON.stringify({ object: 'list', data, model, embedding: 'no list' }, null, indent)
        // JSON has no negative zero.
        expect(read(text)).toEqual(JSON.parse(JSON.stringify(lists)))
        expect(lift(text).answer).toMatchObject({ object: 'list', model, embedding: 'no list' })
      }),
    )
  })

  it('are not found inside of texts', () => {
    const model = '"embedding": [1, 2]'
    expect(lift(JSON.stringify({ model, data: [] }))).toEqual({ answer: { model, data: [] }, lifted: [] })
  })

  it.each(['[]', '[1,]', '[1,,2]', '[1 2]', '["a"]', '[null]', '[01]', '[1', '[[1]]', '[NaN]', '[1}'])(
    'are refused where they are no numbers: %s',
    (embedding) => {
      expect(() => read(`{"data":[{"embedding":${embedding}}]}`)).toThrow(UnusableAnswerError)
    },
  )

  it('are no places in a list that does not exist', () => {
    const answer: JsonObject = { data: [{ embedding: 5 }] }
    expect(() => readListedVectors(answer, [])).toThrow(UnusableAnswerError)
  })

  it('are refused where one is longer than any model makes, before that is too much for us', () => {
    const text = `{"data":[{"embedding":[${'0.1,'.repeat(5_000_000)}1]}]}`
    expect(() => lift(text)).toThrow(UnusableAnswerError)
  })
})
