import { describe, expect, it } from 'vitest'
import { assert } from '#lib/assert.ts'
import type { FilterHit, FilterRequest } from '#ports/filter-engine.ts'
import { createBuiltInModeration } from './built-in-moderation.ts'

const phrase = 'WEIR-MODERATION-TEST-PHRASE'

/** The moderation over an engine with scripted findings. */
function startModeration(hitsOf: (request: FilterRequest) => FilterHit[]) {
  const asked: FilterRequest[] = []
  const moderation = createBuiltInModeration({
    inspect: async (request) => {
      asked.push(request)
      return { hits: hitsOf(request), texts: request.texts }
    },
  })
  return { review: (...texts: string[]) => moderation.review({ texts, payer: 'wallet' }), asked }
}

function hitOf({ rules }: FilterRequest, index: number, matches: FilterHit['matches']): FilterHit {
  const rule = rules[index]
  assert(rule !== undefined, 'there is such a rule')
  return { ruleId: rule.id, action: 'block', isInjection: false, matches, timedOut: matches.length === 0 }
}

describe('the built-in moderation', () => {
  it('lets a text without a needle pass at once', () => {
    const { review, asked } = startModeration(() => [])
    expect(review('Hello there')).toEqual({ allowed: true })
    expect(asked).toEqual([])
  })

  it('lets a text pass in which the patterns find nothing', async () => {
    expect(await startModeration(() => []).review(phrase)).toEqual({ allowed: true })
  })

  it('asks with one enabled rule for each policy, whatever the case, each with an id of its own', async () => {
    const { review, asked } = startModeration(() => [])
    await review(phrase)
    const [request] = asked
    assert(request !== undefined, 'the engine was asked')
    expect(request.ruleSet).toBe('moderation')
    expect(request.texts).toEqual([phrase])
    expect(request.rules[0]).toEqual({
      id: '00000000-0000-0000-0000-000000000000',
      name: 'test',
      enabled: true,
      action: 'block',
      matcher: { kind: 'regex', pattern: phrase, ignoreCase: true },
    })
    expect(request.rules[1]?.id).toBe('00000000-0000-0000-0000-000000000001')
  })

  it('names the categories once each, and the place in the text that was sent', async () => {
    const { review, asked } = startModeration((request) => [
      hitOf(request, 1, []),
      hitOf(request, 0, [{ text: 0, start: 600, end: 627 }]),
      hitOf(request, 1, [{ text: 0, start: 3, end: 4 }]),
      hitOf(request, 2, [{ text: 0, start: 3, end: 4 }]),
    ])
    const verdict = await review('Hello', `${' '.repeat(1_000)}${phrase}`)
    // The inspected piece starts 600 characters before the needle.
    expect(asked[0]?.texts).toEqual([`${' '.repeat(600)}${phrase}`])
    expect(verdict).toEqual({
      allowed: false,
      source: 'built-in',
      categories: ['test', 'weapons/mass-destruction'],
      place: { text: 1, start: 1_000 },
    })
  })

  it('finds the place in the second piece', async () => {
    const { review } = startModeration((request) => [hitOf(request, 0, [{ text: 1, start: 5, end: 9 }])])
    expect(await review(phrase, `12345${phrase}`)).toMatchObject({ place: { text: 1, start: 5 } })
  })

  it('can not tell where the patterns did not come to an end', async () => {
    const { review } = startModeration((request) => [hitOf(request, 0, [])])
    await expect(review(phrase)).rejects.toThrow('the built-in moderation policies timed out')
  })
})
