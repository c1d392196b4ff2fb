import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createClient } from '#test/setup/client.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import { append } from './audit-world.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

interface Page {
  readonly data: readonly Record<string, string | number | null>[]
  readonly head: { readonly sequence: number; readonly hash: string } | null
  readonly next_cursor: string | null
}

async function newLog() {
  const { id } = await gateway.createOrganization()
  const { userId } = await gateway.addMember(id, { role: 'org_admin' })
  const { key } = await gateway.addKey(userId, { type: 'management' })
  const client = createClient(`${gateway.url}/api/orgs/${id}/audit-log/chain`, key)
  const read = async (query: string): Promise<Page> => JSON.parse((await client.get(query)).text)
  return { id, userId, client, read }
}

/** Recomputed from the words of the documentation, not with the code of the gateway. */
function hashOf({ previousHash, hash: _hash, before, after, details, requestId, ...columns }: Page['data'][number]) {
  const texts = Object.values(columns).map((value) => JSON.stringify(value))
  const json = [before, after, details].map((text) => text ?? 'null')
  const line = `[${[...texts, ...json, JSON.stringify(requestId)].join(', ')}]`
  return createHash('sha256')
    .update(Buffer.from(String(previousHash), 'hex'))
    .update(line)
    .digest('hex')
}

it('has every column that the hashes cover, page by page, and the head', async () => {
  const { id, userId, read } = await newLog()
  await append(gateway.pool, id, { actor: { kind: 'user', id: userId, name: null }, before: { name: 'ä "x"', n: 1.5 } })
  await append(gateway.pool, id, { after: { nested: { list: [1, 'two', null] } }, details: { why: 'test' } })
  await append(gateway.pool, id)
  const first = await read('?limit=2')
  expect(first.data.map(({ sequence }) => sequence)).toEqual([1, 2])
  expect(first.next_cursor).toBe('2')
  const last = await read(`?limit=2&after=${first.next_cursor}`)
  expect(last.next_cursor).toBeNull()
  const entries = [...first.data, ...last.data]
  expect(entries).toHaveLength(3)
  for (const [at, entry] of entries.entries()) {
    expect(entry['previousHash']).toBe(entries[at - 1]?.['hash'] ?? '')
    expect(entry['hash']).toBe(hashOf(entry))
    expect(entry['chainId']).toBe(id)
  }
  expect(last.head).toEqual({ sequence: 3, hash: entries[2]?.['hash'] })
  // The stored name of a user is no part of the log, so a hash still holds after the account is deleted.
  expect(entries[0]).toMatchObject({ actorKind: 'user', actorId: userId, actorName: null })
})

it('is empty and has no head before the first entry', async () => {
  const { read } = await newLog()
  expect(await read('')).toEqual({ data: [], head: null, next_cursor: null })
})

it.each(['?limit=0', '?limit=1001', '?after=x', '?after=-1'])('refuses %s', async (query) => {
  const { client } = await newLog()
  expect((await client.get(query)).status).toBe(400)
})
