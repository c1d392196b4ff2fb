import { describe, expect, it } from 'vitest'
import { emptyUsage } from '#test/setup/empty-usage.ts'
import type { RerankTask } from './media-task.ts'
import { rerankPrompt, searchUnitsOf, worstRerank } from './worst-rerank.ts'

function task(query: string, documents: string[], documentTokensMax: number | null = null): RerankTask {
  return { kind: 'rerank', query, documents, top: null, documentTokensMax, returnsDocuments: false, extras: {} }
}

/** A hundred documents of this length. */
const filling = (bytes: number): string[] => Array.from({ length: 100 }, () => 'd'.repeat(bytes))

const unitsOf = (asked: RerankTask) => {
  const { worst, most } = worstRerank(asked)
  return [worst.media?.searchUnits, most.media?.searchUnits]
}

describe('[NEXT-131] what a rerank request can use', () => {
  it.each([
    [1, 1],
    [100, 1],
    [101, 2],
    [1_000, 10],
  ])('is a search unit for each hundred of %d documents', (documents, units) => {
    expect(searchUnitsOf(documents)).toBe(units)
    expect(
      unitsOf(
        task(
          'q',
          Array.from({ length: documents }, () => 'short'),
        ),
      ),
    ).toEqual([units, units])
  })

  it('counts a long document as several, and each part has room for the query', () => {
    // The query takes 10 of 500 tokens at two bytes each, and 20 at one byte.
    const query = 'q'.repeat(20)
    expect(unitsOf(task(query, filling(980)))).toEqual([1, 3])
    expect(unitsOf(task(query, filling(981)))).toEqual([2, 3])
    expect(unitsOf(task(query, filling(480)))).toEqual([1, 1])
    expect(unitsOf(task(query, filling(481)))).toEqual([1, 2])
  })

  it('gives a query at most half of a part', () => {
    const documents = Array.from({ length: 100 }, () => 'd'.repeat(500))
    expect(unitsOf(task('q'.repeat(500), documents))).toEqual([1, 2])
    expect(unitsOf(task('q'.repeat(50_000), documents))).toEqual([1, 2])
    expect(
      unitsOf(
        task(
          'q'.repeat(50_000),
          documents.map((text) => `${text}d`),
        ),
      ),
    ).toEqual([2, 3])
  })

  it('stops at the tokens that the client allows per document', () => {
    const documents = Array.from({ length: 100 }, () => 'd'.repeat(50_000))
    expect(unitsOf(task('q', documents))).toEqual([51, 101])
    expect(unitsOf(task('q', documents, 499))).toEqual([1, 1])
    expect(unitsOf(task('q', documents, 500))).toEqual([2, 2])
  })

  it('counts an empty document as one', () => {
    expect(
      unitsOf(
        task(
          'q',
          Array.from({ length: 101 }, () => ''),
        ),
      ),
    ).toEqual([2, 2])
  })

  it('reads the query with every document, in a template of at most 128 tokens', () => {
    const asked = task('abcdefgh', ['abcd', 'abcdefgh', ''])
    // Two tokens of the query for each of three documents, and three tokens of documents.
    expect(rerankPrompt(asked)).toEqual({ promptTokensEstimate: 9, promptTokensHeld: 393 })
    const media = { searchUnits: 1 }
    expect(worstRerank(asked)).toEqual({
      worst: { ...emptyUsage, uncachedInput: 393, media },
      // A token for each byte.
      most: { ...emptyUsage, uncachedInput: 12 + 3 * (8 + 128), media },
    })
  })
})
