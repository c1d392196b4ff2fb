import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { parseUsd } from '#domain/money/nano-usd.ts'
import { testSecret } from '#test/setup/gateway.ts'
import { createTestSignIn } from '#test/setup/sign-in.ts'
import type { Drill } from '../drill.ts'
import { addUpstream } from '../setup/add-upstream.ts'
import { chatBody } from '../setup/chat-body.ts'
import { defaultBudgetUsd, type Directory, openDirectory } from '../setup/provisioning/directory.ts'
import type { ServerProcess } from '../setup/server-process.ts'
import { startToxicsProxy } from '../setup/toxics-proxy.ts'
import type { World } from '../setup/world.ts'

/** The promise of the documentation: without Redis, a change reaches every gateway in this time. */
const promisedMs = 15_000
const atOnce = 8

interface Scene {
  readonly world: World
  readonly gateways: readonly ServerProcess[]
  readonly directory: Directory
}

/** A person whom the directory created, with a key of the organization and a session. */
interface Provisioned {
  readonly id: string
  readonly key: string
  readonly cookie: string
}

export const provisioning: Drill = {
  name: 'provisioning',
  requires:
    '1,000 people and 20 groups by SCIM over two gateways: teams, budgets and charges are exact, and 100 deactivated people lose keys and sessions on both within 15 s while Redis is away',
  long: true,
  async start(world) {
    await addUpstream(world)
    const proxy = await startToxicsProxy(Number(new URL(world.redis.url).port))
    world.defer(() => proxy.close())
    const env = { WEIR_REDIS_URL: `redis://127.0.0.1:${proxy.port}` }
    const gateways = await Promise.all([1, 2].map(() => world.startGateway({ env })))
    return async (_random, _point, { isShort }) => {
      const [people, groups, leaving] = isShort ? [60, 4, 10] : [1_000, 20, 100]
      const directory = await openDirectory(world, { gateways, teamCount: groups })
      const scene = { world, gateways, directory }
      const ids = await provisionPeople(scene, people)
      await provisionGroups(scene, ids)
      await judgePlaces(scene, people)
      const staff = await inTurns(ids.slice(0, leaving * 2), (id) => equip(scene, id))
      const [gone, kept] = [staff.slice(0, leaving), staff.slice(leaving)]
      await judgeAccess(scene, staff, { key: 200, session: 1 })
      proxy.apply({ kind: 'cut' })
      await inTurns(gone, async ({ id }) => {
        const { status, json } = await directory.send('PATCH', `/Users/${id}`, deactivation)
        assert.deepEqual([status, json['active']], [200, false], 'Entra deactivates a person')
      })
      await wait(promisedMs)
      await judgeAccess(scene, gone, { key: 403, session: 0 })
      await judgeAccess(scene, kept, { key: 200, session: 1 })
      proxy.apply({ kind: 'pass' })
      await world.settleDown()
      await judgeCharges(scene, staff)
    }
  },
}

const deactivation = { Operations: [{ op: 'Replace', path: 'active', value: 'False' }] }

/** A few requests at once, as a directory sends them. */
async function inTurns<Item, Result>(items: readonly Item[], act: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  for (let from = 0; from < items.length; from += atOnce) {
    results.push(...(await Promise.all(items.slice(from, from + atOnce).map(act))))
  }
  return results
}

async function provisionPeople({ directory }: Scene, count: number): Promise<string[]> {
  const numbers = Array.from({ length: count }, (_, number) => number)
  return inTurns(numbers, async (number) => {
    const userName = `p${number}@${directory.domain}`
    const found = await directory.send('GET', `/Users?filter=${encodeURIComponent(`userName eq "${userName}"`)}`)
    assert.equal(found.json['totalResults'], 0, 'a directory looks before it creates')
    const body = { userName, externalId: `e-${number}`, emails: [{ value: userName, type: 'work', primary: true }] }
    const created = await directory.send('POST', '/Users', body)
    assert.equal(created.status, 201, JSON.stringify(created.json))
    return String(created.json['id'])
  })
}

/** Half of the members come with the group, and the others with a PATCH, as Entra sends them. */
async function provisionGroups({ directory }: Scene, ids: readonly string[]): Promise<void> {
  const each = ids.length / directory.teams.length
  const groups = directory.teams.map(({ name }, position) => ({
    name,
    ids: ids.slice(position * each, (position + 1) * each),
  }))
  await inTurns(groups, async ({ name, ids: memberIds }) => {
    const members = memberIds.map((value) => ({ value }))
    const half = Math.ceil(members.length / 2)
    const created = await directory.send('POST', '/Groups', { displayName: name, members: members.slice(0, half) })
    assert.equal(created.status, 201, JSON.stringify(created.json))
    const Operations = [{ op: 'Add', path: 'members', value: members.slice(half) }]
    const changed = await directory.send('PATCH', `/Groups/${created.json['id']}`, { Operations })
    assert.equal(changed.status, 200, JSON.stringify(changed.json))
  })
}

async function judgePlaces({ world, directory }: Scene, people: number): Promise<void> {
  const { rows } = await world.pool.query<{ name: string; members: number; budget: string }>(
    `SELECT t.name, count(*)::integer AS members, max(m.monthly_budget_nano)::text AS budget FROM members m
     JOIN teams t ON t.id = m.team_id WHERE m.organization_id = $1
     GROUP BY t.name HAVING min(m.monthly_budget_nano) = max(m.monthly_budget_nano) ORDER BY t.name`,
    [directory.organizationId],
  )
  const expected = directory.teams.map(({ name }) => ({
    name,
    members: people / directory.teams.length,
    budget: String(parseUsd(defaultBudgetUsd.team)),
  }))
  assert.deepEqual(
    rows,
    expected.toSorted((one, other) => (one.name < other.name ? -1 : 1)),
    'teams and their budgets',
  )
}

async function equip({ world, directory }: Scene, id: string): Promise<Provisioned> {
  const { key } = await world.addOrganizationKey(directory.organizationId, { memberId: id })
  const { rows } = await world.pool.query<{ user_id: string }>('SELECT user_id FROM members WHERE id = $1', [id])
  const cookie = await createTestSignIn(world.pool, { secret: testSecret }).signIn(rows[0]?.user_id ?? '')
  return { id, key, cookie }
}

/** Calls with every key, and lists the organizations of every session, on both gateways. */
async function judgeAccess(
  { world, gateways }: Scene,
  people: readonly Provisioned[],
  expected: { key: number; session: number },
): Promise<void> {
  const seen = await inTurns(
    people.flatMap((person) => gateways.map((gateway) => ({ person, gateway }))),
    async ({ person: { key, cookie }, gateway }) => {
      const { status } = await world.call(gateway, { key }, chatBody()).ended
      const response = await fetch(`${gateway.url}/v1/orgs`, { headers: { cookie } })
      const { data } = (await response.json()) as { data: unknown[] }
      return { key: status, session: data.length }
    },
  )
  assert.deepEqual(
    seen.filter(({ key, session }) => key !== expected.key || session !== expected.session),
    [],
    `all of ${seen.length} answers are ${JSON.stringify(expected)}`,
  )
}

/** The sums of the members are those of their requests, and so is the sum of the organization. */
async function judgeCharges({ world }: Scene, people: readonly Provisioned[]): Promise<void> {
  const { rows } = await world.pool.query<{ id: string; spent: string; recorded: string; requests: number }>(
    `SELECT m.id, coalesce((SELECT sum(d.spent_nano) FROM spend_days d WHERE d.kind = 'member' AND d.owner_id = m.id), 0)::text AS spent,
       coalesce(sum(g.cost_nano), 0)::text AS recorded, count(g.id)::integer AS requests
     FROM members m LEFT JOIN api_keys k ON k.member_id = m.id LEFT JOIN generations g ON g.key_id = k.id
     WHERE m.id = ANY ($1) GROUP BY m.id`,
    [people.map(({ id }) => id)],
  )
  const wrong = rows.filter(({ spent, recorded }) => spent !== recorded || BigInt(spent) <= 0n)
  assert.deepEqual(wrong, [], 'every member is charged what their requests cost')
}
