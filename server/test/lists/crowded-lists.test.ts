import type { Pool, PoolClient } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parseScimFilter } from '#domain/provisioning/scim-filter.ts'
import { firstUuidAt } from '#lib/uuid.ts'
import { listCustomerTransfers } from '#store/postgres/end-customers/customer-balances.sql.ts'
import { createGenerationLists } from '#store/postgres/generations/postgres-generation-lists.ts'
import { createKeyStore } from '#store/postgres/keys/postgres-key-store.ts'
import { createLedgerReads } from '#store/postgres/ledger/postgres-ledger-reads.ts'
import { findOpenInvitations, listInvitationPage } from '#store/postgres/organizations/invitations.sql.ts'
import { findMembersByAddress, listMemberPage } from '#store/postgres/organizations/members.sql.ts'
import { listTeamPage } from '#store/postgres/organizations/teams.sql.ts'
import { listScimUsers } from '#store/postgres/provisioning/users.sql.ts'
import { listJobs } from '#store/postgres/videos/video-jobs.sql.ts'
import { createWebhookLists } from '#store/postgres/videos/webhook-lists.ts'
import { recordStatements } from '#test/bench/usage/recording-pool.ts'
import { createTestDatabase, type TestDatabase } from '#test/setup/database.ts'
import { dayMs } from '#test/setup/day.ts'
import { rowsRead } from '#test/setup/rows-seen.ts'
import { crowd, gatherCrowd } from './crowd.ts'

const size = { keys: 100_000, members: 100_000, teams: 10_000, generations: 200_000, videos: 50_000 }
const limit = 50

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await gatherCrowd(database.pool, size)
})
afterAll(() => database.drop())

const nowMs = Date.now()
const { organizationId, walletId, teamId, bigTeamId, memberId, userId, keyId, customerId } = crowd
const account = { kind: 'organization', organizationId } as const
const place = { organizationId, monthStart: '2026-01-01' }
const page = { search: null, after: null, descending: true, limit }
const longAgo = (days: number) => ({ value: String((nowMs - days * dayMs) * 1_000), id: keyId })
const before = firstUuidAt(nowMs - 16 * dayMs)

const ofMember = { walletId, only: { memberId } }
const ofKey = { walletId, only: { keyId } }
const everything = {
  fromMs: null,
  toMs: null,
  keyId: null,
  teamId: null,
  endCustomerId: null,
  runId: null,
  tagId: null,
  endUser: null,
  model: null,
  provider: null,
  app: null,
  status: null,
}
const requests = { scope: { walletId, only: null, userId: null }, filter: everything, before: null, limit, nowMs }
const transfers = { walletId, kind: null, fromMs: null, toMs: null, after: null, limit } as const
const videos = { scope: { walletId, only: null }, before: null, model: null, status: null, limit } as const
const calls = { scope: { walletId, only: null }, before: null, state: null, jobId: null, limit } as const

type Listed = readonly unknown[] | { readonly entries: readonly unknown[] } | { readonly records: readonly unknown[] }
type Read = (pool: Pool) => Promise<Listed>

const keysOf =
  (terms: object, order: object): Read =>
  (pool) =>
    createKeyStore(pool).listPage({ account, nowMs, ...terms }, { ...page, sort: 'created', ...order })
const membersOf =
  (terms: object, order: object = {}): Read =>
  (pool) =>
    listMemberPage(pool, { ...place, ...terms }, { ...page, sort: 'joined', ...order })
const invitationsOf =
  (terms: object, order: object = {}): Read =>
  (pool) =>
    listInvitationPage(pool, { organizationId, nowMs, ...terms }, { ...page, sort: 'created', ...order })
const requestsOf =
  (terms: object): Read =>
  (pool) =>
    createGenerationLists(pool).list({ ...requests, ...terms })
const transfersOf =
  (terms: object): Read =>
  (pool) =>
    createLedgerReads(pool).listTransfers({ ...transfers, ...terms })
const holdsOf =
  (beforeId: string | null): Read =>
  (pool) =>
    createLedgerReads(pool).listHolds({ walletId, before: beforeId, limit })
const customerTransfersOf =
  (beforeId: string | null): Read =>
  (pool) =>
    listCustomerTransfers(pool, customerId, { before: beforeId, limit })
const videosOf =
  (terms: object): Read =>
  (pool) =>
    listJobs(pool, { ...videos, ...terms })
const callsOf =
  (terms: object): Read =>
  (pool) =>
    createWebhookLists(pool).list({ ...calls, ...terms })

const lists: Readonly<Record<string, Read>> = {
  keys: keysOf({}, {}),
  'keys, further down': keysOf({}, { after: longAgo(20) }),
  'keys by name': keysOf({}, { sort: 'name', descending: false }),
  'keys by name, further down': keysOf({}, { sort: 'name', after: { value: 'key 5', id: keyId } }),
  'keys of a big team': keysOf({ teamId: bigTeamId }, {}),
  members: membersOf({}),
  'members, further down': membersOf({}, { after: longAgo(20) }),
  'members of a big team': membersOf({ teamId: bigTeamId }),
  invitations: invitationsOf({}),
  'invitations, further down': invitationsOf({}, { after: longAgo(20) }),
  'pending invitations': invitationsOf({ status: 'pending' }),
  'teams by name': (pool) => listTeamPage(pool, place, { ...page, sort: 'name' }),
  'teams, further down': (pool) => listTeamPage(pool, place, { ...page, sort: 'created', after: longAgo(3) }),
  requests: requestsOf({}),
  'requests, further down': requestsOf({ before }),
  'requests of a member': requestsOf({ scope: { ...ofMember, userId } }),
  'requests of a model': requestsOf({ filter: { ...everything, model: 'acme/model-1' } }),
  transactions: transfersOf({}),
  'transactions, further down': transfersOf({ after: { id: before, leg: 0 } }),
  charges: transfersOf({ kind: 'charge' }),
  grants: transfersOf({ kind: 'grant' }),
  'transfers of a customer': customerTransfersOf(null),
  'transfers of a customer, further down': customerTransfersOf(before),
  holds: holdsOf(null),
  'holds, further down': holdsOf(firstUuidAt(nowMs - dayMs)),
  videos: videosOf({}),
  'videos, further down': videosOf({ before }),
  'videos of a member': videosOf({ scope: ofMember }),
  'videos of a key': videosOf({ scope: ofKey }),
  'videos that failed': videosOf({ status: 'failed' }),
  'calls to webhooks': callsOf({}),
  'calls to webhooks, further down': callsOf({ before }),
  'calls to webhooks of a member': callsOf({ scope: ofMember }),
  'calls to webhooks given up': callsOf({ state: 'given_up' }),
}

/** The entries of a list, and the rows that all its statements read. */
async function workOf(read: Read): Promise<{ shown: number; rows: number; blocks: number }> {
  const recording = recordStatements(database.pool)
  const listed = await read(recording.pool)
  const entries = entriesOf(listed)
  const work = { shown: entries.length, rows: 0, blocks: 0 }
  for (const statement of recording.statements) {
    const { rows, blocks } = await rowsRead(database.pool, statement)
    work.rows += rows
    work.blocks += blocks
  }
  return work
}

function entriesOf(listed: Listed): readonly unknown[] {
  // Arrays also have a method `entries`.
  if ('length' in listed) return listed
  return 'entries' in listed ? listed.entries : listed.records
}

// An entry is one or two rows and a day of its sums; a team has ten members, which are counted.
const rowsPerEntry = 15
const blocksPerEntry = 20

it.each(Object.entries(lists))('%s: a page reads what it shows, however many there are', async (_name, read) => {
  const { shown, rows, blocks } = await workOf(read)
  expect(shown).toBe(limit)
  expect(rows).toBeLessThanOrEqual(rowsPerEntry * limit)
  expect(blocks).toBeLessThanOrEqual(blocksPerEntry * limit)
})

it.each([
  ['keys', keysOf({ teamId }, {})],
  ['members', membersOf({ teamId })],
] as const)('%s of a small team are found from the team', async (_name, read) => {
  const { shown, rows } = await workOf(read)
  expect(shown).toBe(10)
  expect(rows).toBeLessThanOrEqual(rowsPerEntry * 10)
})

it.each([
  ['members without spend', membersOf({ isIdle: true })],
  ['members without spend, further down', membersOf({ isIdle: true }, { after: longAgo(20) })],
] as const)('%s: a page reads twice what it shows, because every other member spends', async (_name, read) => {
  const { shown, rows, blocks } = await workOf(read)
  expect(shown).toBe(limit)
  expect(rows).toBeLessThanOrEqual(2 * rowsPerEntry * limit)
  expect(blocks).toBeLessThanOrEqual(2 * blocksPerEntry * limit)
})

const scimUserOf =
  (filter: string): Read =>
  async (pool) =>
    (await listScimUsers(pool, { organizationId, filter: parseScimFilter(filter), offset: 0, limit })).entries

/** What an import looks up for a part of its file. */
const lookedUp =
  (find: (client: PoolClient, emails: readonly string[]) => Promise<Listed>): Read =>
  async (pool) => {
    const client = await pool.connect()
    try {
      return await find(client, addresses)
    } finally {
      client.release()
    }
  }
const addresses = Array.from({ length: 100 }, (_, at) => [
  `crowd${at * 7}@example.com`,
  `guest${at * 7}@example.com`,
]).flat()

it.each<readonly [string, number, Read]>([
  ['a member by the name that the directory gave', 1, scimUserOf('userName eq "Crowd77@example.com"')],
  ['a member whom the directory does not know', 1, scimUserOf('userName eq "crowd70@example.com"')],
  ['no member of another name', 0, scimUserOf('userName eq "nobody@example.com"')],
  ['a member by the id of the directory', 1, scimUserOf('externalId eq "e-77"')],
  ['a member by the address', 1, scimUserOf('emails[type eq "work"].value eq "crowd77@example.com"')],
  ['the keys of a member', 1, keysOf({ memberId }, {})],
  [
    'the members of a file',
    99,
    lookedUp(async (client, emails) => [...(await findMembersByAddress(client, organizationId, emails))]),
  ],
  ['the invitations of a file', 99, lookedUp((client, emails) => findOpenInvitations(client, organizationId, emails))],
])('%s: looked up without reading the others', async (_name, expected, read) => {
  const { shown, rows, blocks } = await workOf(read)
  expect(shown).toBe(expected)
  // Both the list and its count, for each address.
  expect(rows).toBeLessThanOrEqual(10 * Math.max(expected, 1) + 2 * addresses.length)
  expect(blocks).toBeLessThanOrEqual(20 * Math.max(expected, 1) + 8 * addresses.length)
})

it('the call of one video is found from the video', async () => {
  const { rows: jobs } = await database.pool.query<{ id: string }>(
    'SELECT job_id AS id FROM webhook_deliveries LIMIT 1',
  )
  const { shown, rows } = await workOf(callsOf({ jobId: jobs[0]?.id }))
  expect([shown, rows]).toEqual([1, 1])
})

it('requests that are rare are looked for among 10,000, and then on the next page', async () => {
  const { shown, rows } = await workOf(requestsOf({ filter: { ...everything, model: 'acme/none' } }))
  expect(shown).toBe(0)
  expect(rows).toBeLessThan(10_100)
})
