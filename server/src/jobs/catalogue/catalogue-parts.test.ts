import { describe, expect, test } from 'vitest'
import { newUuid } from '#lib/uuid.ts'
import type { CatalogueProposal, CatalogueProposals } from '#ports/catalogue-proposals.ts'
import { catalogueParts } from './catalogue-parts.ts'

const change = { model: 'acme/one', what: 'price', where: 'acme prompt', from: '1', to: '2', doubt: null } as const

function proposalOf(changes: Partial<CatalogueProposal> = {}): CatalogueProposal {
  return {
    id: newUuid(0),
    proposedAtMs: 0,
    baseRevision: 7,
    sources: ['litellm'],
    rows: [],
    changes: [change],
    disagreements: [],
    unmatched: 0,
    ...changes,
  }
}

interface Round {
  waiting?: CatalogueProposal | null
  proposal: CatalogueProposal | Error
}

/** Runs one round, and returns the waiting proposal and the log. */
async function round({ waiting = null, proposal }: Round) {
  let kept = waiting
  const logged: string[] = []
  const log = (_: object, text: string): void => void logged.push(text)
  const proposals: CatalogueProposals = {
    find: async () => kept,
    put: async (put) => void (kept = put),
    remove: async () => {},
    reject: async () => true,
  }
  const propose = async (): Promise<CatalogueProposal> => {
    if (proposal instanceof Error) throw proposal
    return proposal
  }
  const [part] = catalogueParts({ sources: ['litellm'], everyMs: 5, propose, proposals, log: { info: log, warn: log } })
  await part?.run(new AbortController().signal)
  return { part, kept, logged }
}

async function never(): Promise<never> {
  throw new Error('not part of this test')
}

describe('the part that compares the catalogue with public sources', () => {
  test('is not there without a source', () => {
    const proposals = { find: never, put: never, remove: never, reject: never }
    const log = { info: never, warn: never }
    expect(catalogueParts({ sources: [], everyMs: 5, propose: never, proposals, log })).toEqual([])
  })

  test('leaves what the sources would change for approval, and says so', async () => {
    const proposal = proposalOf()
    const { part, kept, logged } = await round({ proposal })
    expect(part).toMatchObject({ name: 'catalogue', everyMs: 5 })
    expect(kept).toBe(proposal)
    expect(logged).toEqual(['catalogue changes are pending approval'])
  })

  test('leaves nothing where nothing changes, and survives a source that is away', async () => {
    expect(await round({ proposal: proposalOf({ changes: [] }) })).toMatchObject({ kept: null, logged: [] })
    const away = await round({ proposal: new Error('no answer') })
    expect(away).toMatchObject({ kept: null, logged: ['failed to read the catalogue sources'] })
  })

  test.each<[string, Partial<CatalogueProposal>]>([
    ['the sources still say the same', {}],
    ['an operator has asked other sources', { sources: ['openrouter'], changes: [{ ...change, to: '9' }] }],
  ])('keeps what waits where %s', async (_, changes) => {
    const waiting = proposalOf(changes)
    expect((await round({ waiting, proposal: proposalOf() })).kept).toBe(waiting)
  })

  test.each<[string, Partial<CatalogueProposal>]>([
    ['the catalogue has changed since', { baseRevision: 6 }],
    ['the sources say something new', { changes: [{ ...change, to: '9' }] }],
  ])('replaces what waits where %s', async (_, changes) => {
    const proposal = proposalOf()
    expect((await round({ waiting: proposalOf(changes), proposal })).kept).toBe(proposal)
  })
})
