import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { GenerationFilter, GenerationListQuery, GenerationLists } from '#ports/account-reads.ts'
import type { RefusalLists } from '#ports/refusals.ts'
import { listRequests, type ListedRequest, type WantedOutcome } from './list-requests.ts'

const everything: GenerationFilter = {
  model: null,
  provider: null,
  app: null,
  keyId: null,
  teamId: null,
  endCustomerId: null,
  runId: null,
  tagId: null,
  endUser: null,
  status: null,
  fromMs: null,
  toMs: null,
}
const query = {
  scope: { walletId: 'wallet', only: null, userId: null },
  filter: everything,
  before: null,
  nowMs: 0,
  id: null,
}

const idOf = (position: number): string => String(position).padStart(4, '0')
const newestFirst = (positions: readonly number[]): string[] => positions.map(idOf).toSorted().toReversed()

/** A list that may stop before its page is full, as one that has read enough does. */
function listOf(positions: readonly number[], readMax: number) {
  const ids = newestFirst(positions)
  return async ({ before, limit }: Pick<GenerationListQuery, 'before' | 'limit'>) => {
    const left = before === null ? ids : ids.filter((id) => id < before)
    const shown = left.slice(0, Math.min(limit, readMax))
    return {
      records: shown.map((id) => ({ id })),
      next: shown.length < left.length ? (shown.at(-1) ?? null) : null,
    }
  }
}

const never = () => Promise.reject(new Error('this list is not wanted'))

function listsOf(finished: readonly number[], refused: readonly number[], readMax = 1_000) {
  return {
    lists: { list: listOf(finished, readMax) } as unknown as GenerationLists,
    refusals: { list: listOf(refused, readMax) } as unknown as RefusalLists,
    never: { list: never } as unknown as GenerationLists & RefusalLists,
  }
}

async function listAll(lists: Parameters<typeof listRequests>[0], limit: number, outcome: WantedOutcome) {
  const all: ListedRequest[] = []
  const sizes: number[] = []
  for (let before: string | null | undefined = null; before !== undefined; ) {
    const page = await listRequests(lists, { ...query, before, limit, outcome })
    all.push(...page.requests)
    sizes.push(page.requests.length)
    before = page.next ?? undefined
  }
  return { all: all.map(({ kind, record }) => `${kind} ${record.id}`), sizes }
}

describe('the list of requests', () => {
  it('has each finished and each refused request once, newest first, whatever the size of a page and however far each list looks', async () => {
    const positions = fc.uniqueArray(fc.record({ at: fc.integer({ min: 0, max: 200 }), isRefused: fc.boolean() }), {
      maxLength: 60,
      selector: ({ at }) => at,
    })
    const sizes = fc.record({ limit: fc.integer({ min: 1, max: 9 }), readMax: fc.integer({ min: 1, max: 12 }) })
    await fc.assert(
      fc.asyncProperty(positions, sizes, async (drawn, { limit, readMax }) => {
        const finished = drawn.filter(({ isRefused }) => !isRefused).map(({ at }) => at)
        const refused = drawn.filter(({ isRefused }) => isRefused).map(({ at }) => at)
        const listed = await listAll(listsOf(finished, refused, readMax), limit, 'any')
        const expected = newestFirst(drawn.map(({ at }) => at)).map((id) =>
          refused.map(idOf).includes(id) ? `refused ${id}` : `finished ${id}`,
        )
        expect(listed.all).toEqual(expected)
        expect(Math.max(...listed.sizes)).toBeLessThanOrEqual(limit)
      }),
    )
  })

  it('asks only the list that is wanted', async () => {
    const { lists, refusals, never } = listsOf([1, 3], [2])
    expect((await listAll({ lists, refusals: never }, 5, 'finished')).all).toEqual(['finished 0003', 'finished 0001'])
    expect((await listAll({ lists: never, refusals }, 5, 'refused')).all).toEqual(['refused 0002'])
  })

  it.each([
    [{ provider: 'acme' }, ['finished 0001']],
    [{ app: 'editor' }, ['finished 0001']],
    [{ model: 'acme/large' }, ['refused 0002', 'finished 0001']],
  ])('has no refused request with %j', async (filter, expected) => {
    const { requests } = await listRequests(listsOf([1], [2]), {
      ...query,
      limit: 5,
      outcome: 'any',
      filter: { ...everything, ...filter },
    })
    expect(requests.map(({ kind, record }) => `${kind} ${record.id}`)).toEqual(expected)
  })
})
