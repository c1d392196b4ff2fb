import { describe, expect, it } from 'vitest'
import type { BlockedVerdict, Moderation, ModerationVerdict } from '#ports/moderation.ts'
import { bothModerations } from './choose-moderation.ts'

const allowed: ModerationVerdict = { allowed: true }
const blockedBy = (source: BlockedVerdict['source']): ModerationVerdict => ({
  allowed: false,
  categories: ['test'],
  source,
  place: { text: 0, start: 0 },
})

function both(first: ReturnType<Moderation['review']>, second: ReturnType<Moderation['review']>) {
  const asked: string[] = []
  const answering = (name: string, verdict: ReturnType<Moderation['review']>): Moderation => ({
    review: ({ texts }) => {
      asked.push(`${name}: ${texts.join()}`)
      return verdict
    },
  })
  const verdict = bothModerations(answering('first', first), answering('second', second)).review({
    texts: ['words'],
    payer: 'wallet',
  })
  return { verdict, asked }
}

describe('two moderations', () => {
  it('answer at once where both do', () => {
    const { verdict, asked } = both(allowed, blockedBy('upstream'))
    expect(verdict).toEqual(blockedBy('upstream'))
    expect(asked).toEqual(['first: words', 'second: words'])
  })

  it('do not ask the second about what the first refuses', async () => {
    const atOnce = both(blockedBy('built-in'), allowed)
    expect(atOnce.verdict).toEqual(blockedBy('built-in'))
    const later = both(Promise.resolve(blockedBy('built-in')), allowed)
    expect(await later.verdict).toEqual(blockedBy('built-in'))
    expect([atOnce.asked, later.asked]).toEqual([['first: words'], ['first: words']])
  })

  it('wait for the first where it has to be waited for', async () => {
    const { verdict, asked } = both(Promise.resolve(allowed), Promise.resolve(blockedBy('upstream')))
    expect(asked).toEqual(['first: words'])
    expect(await verdict).toEqual(blockedBy('upstream'))
    expect(asked).toEqual(['first: words', 'second: words'])
  })
})
