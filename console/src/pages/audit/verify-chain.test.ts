import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { ChainEntry, ChainPage } from '../../api/audit.ts'
import { verifyChain } from './verify-chain.ts'

/** Hashed with Node's own functions, in the form that the database hashes. */
function sealed(columns: Omit<ChainEntry, 'hash'>): ChainEntry {
  const { previousHash, before, after, details, requestId, ...others } = columns
  const texts = Object.values(others).map((value) => JSON.stringify(value))
  const line = [...texts, before ?? 'null', after ?? 'null', details ?? 'null', JSON.stringify(requestId)].join(', ')
  const hash = createHash('sha256').update(Buffer.from(previousHash, 'hex')).update(`[${line}]`).digest('hex')
  return { ...columns, hash }
}

function chainOf(count: number): ChainEntry[] {
  const entries: ChainEntry[] = []
  for (let sequence = 1; sequence <= count; sequence += 1) {
    const entry = sealed({
      chainId: 'c',
      sequence,
      id: `id-${sequence}`,
      epochS: '1763424000.000001',
      actorKind: 'key',
      actorId: null,
      actorName: 'Grüße "x"\n',
      action: 'org.update',
      targetKind: null,
      targetId: null,
      before: '{"a": 1.50}',
      after: null,
      details: null,
      requestId: 'req_1',
      previousHash: entries.at(-1)?.hash ?? '',
    })
    entries.push(entry)
  }
  return entries
}

/** Serves the entries two at a time. */
function verify(entries: readonly ChainEntry[], head: ChainPage['head'], savedHash = '') {
  const progress: number[] = []
  const readPage = async (after: string | null): Promise<ChainPage> => {
    const start = after === null ? 0 : Number(after)
    const isLast = start + 2 >= entries.length
    return { data: entries.slice(start, start + 2), head, next_cursor: isLast ? null : String(start + 2) }
  }
  return verifyChain({ readPage, savedHash, onProgress: (count) => progress.push(count) }).then((verdict) => ({
    verdict,
    progress,
  }))
}

const headOf = (entries: readonly ChainEntry[]) => {
  const last = entries.at(-1)
  return last === undefined ? null : { sequence: last.sequence, hash: last.hash }
}

describe('the audit log in the browser', () => {
  it('is verified page by page', async () => {
    const entries = chainOf(5)
    const { verdict, progress } = await verify(entries, headOf(entries), entries[1]?.hash)
    expect(verdict).toEqual({ kind: 'verified', count: 5, hash: entries[4]?.hash, isSavedFound: true })
    expect(progress).toEqual([2, 4, 5])
    expect((await verify(entries, headOf(entries), 'abcd')).verdict).toMatchObject({ isSavedFound: false })
  })

  it('may be empty', async () => {
    expect((await verify([], null)).verdict).toEqual({ kind: 'verified', count: 0, hash: '', isSavedFound: false })
  })

  it.each<[string, (entries: ChainEntry[]) => ChainEntry[], number]>([
    ['an entry was edited', (all) => all.map((one, at) => (at === 1 ? { ...one, action: 'org.create' } : one)), 2],
    ['values were edited', (all) => all.map((one, at) => (at === 2 ? { ...one, before: '{"a": 1.5}' } : one)), 3],
    ['an entry was taken out', (all) => all.toSpliced(1, 1), 2],
    ['the first entry was taken out', (all) => all.slice(1), 1],
    [
      'an entry was written anew',
      (all) => all.map(({ hash: _old, ...one }, at) => sealed(at === 3 ? { ...one, previousHash: '' } : one)),
      4,
    ],
    ['the end was cut off', (all) => all.slice(0, -1), 5],
  ])('is broken if %s', async (_name, change, sequence) => {
    const entries = chainOf(5)
    const { verdict } = await verify(change(entries), headOf(entries))
    expect(verdict).toMatchObject({ kind: 'broken', sequence })
  })

  it('is broken if the head is missing or names another hash', async () => {
    const entries = chainOf(2)
    expect((await verify(entries, null)).verdict).toMatchObject({ kind: 'broken', sequence: 3 })
    expect((await verify(entries, { sequence: 2, hash: 'ff' })).verdict).toMatchObject({ kind: 'broken' })
  })
})
