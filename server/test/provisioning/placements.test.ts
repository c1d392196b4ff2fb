import { afterAll, beforeAll, expect, it } from 'vitest'
import { placeWaiting } from '#control/provisioning/place-waiting.ts'
import { placementPart } from '#jobs/place-members.ts'
import { createProvisioning } from '#store/postgres/provisioning/provisioning-store.ts'
import { type ScimHome, type ScimWorld, startScimWorld } from './scim-world.ts'

let world: ScimWorld
beforeAll(async () => {
  world = await startScimWorld()
})
afterAll(() => world.close())

const peopleMax = 120

/** An organization with members in the order of their ids, and a group `Crew` that is mapped to a team. */
async function newCrew() {
  const home = await world.newScimHome()
  const { teamId } = await world.addTeam(home.id, { name: 'Red' })
  const text = `INSERT INTO sign_on_groups (organization_id, group_name, position, team_id, role) VALUES ($1, 'Crew', 0, $2, 'member')`
  await world.pool.query(text, [home.id, teamId])
  const members: string[] = []
  while (members.length < peopleMax) members.push((await world.addMember(home.id)).memberId)
  return { home, teamId, members: members.sort() }
}

const createGroup = (home: ScimHome, members: readonly string[]) =>
  home.scim.post('/scim/v2/Groups', { displayName: 'Crew', members: members.map((value) => ({ value })) })

async function placedIn(teamId: string): Promise<string[]> {
  const { rows } = await world.pool.query<{ id: string }>('SELECT id FROM members WHERE team_id = $1 ORDER BY id', [
    teamId,
  ])
  return rows.map(({ id }) => id)
}

const deps = () => ({ provisioning: createProvisioning(world.pool), announce: async () => {} })
const signal = new AbortController().signal

it('places a large group in batches that commit one by one, and workers finish what a crash has left', async () => {
  const { home, teamId, members } = await newCrew()
  const locker = await world.pool.connect()
  try {
    await locker.query('BEGIN')
    await locker.query('SELECT 1 FROM members WHERE id = $1 FOR NO KEY UPDATE', [members[110]])
    const creating = createGroup(home, members)
    const blocked = async () => {
      const text = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
        AND query LIKE 'UPDATE members%'`
      return (await world.pool.query<{ pid: number }>(text)).rows
    }
    await expect.poll(async () => (await blocked()).length).toBe(1)
    expect(await placedIn(teamId)).toEqual(members.slice(0, 100))
    const [waiter] = await blocked()
    await locker.query('SELECT pg_cancel_backend($1)', [waiter?.pid])
    expect((await creating).status).toBeGreaterThanOrEqual(500)
  } finally {
    await locker.query('ROLLBACK')
    locker.release()
  }
  expect(await placedIn(teamId)).toEqual(members.slice(0, 100))
  expect(await placementPart(deps()).run(signal)).toBe(false)
  expect(await placedIn(teamId)).toEqual(members)
  const entries = (await world.auditOf(home.id)).filter(({ action }) => action === 'org_member.update')
  expect(entries).toHaveLength(peopleMax)
  expect(new Set(entries.map(({ actor_kind, actor_id }) => `${actor_kind} ${actor_id}`))).toEqual(
    new Set([`scim_token ${String(home.token['id'])}`]),
  )
})

it('places no more members at once than it is told, and tells whether some are left', async () => {
  const { home, teamId, members } = await newCrew()
  expect((await createGroup(home, members)).status).toBe(201)
  expect(await placedIn(teamId)).toEqual(members)
  await world.pool.query('UPDATE members SET team_id = NULL WHERE team_id = $1', [teamId])
  const text = `INSERT INTO scim_placements (member_id, organization_id, actor)
    SELECT id, $1, '{"kind": "system", "id": null, "name": null}' FROM members WHERE organization_id = $1`
  await world.pool.query(text, [home.id])
  const placing = (batches: number) => placeWaiting(deps(), { organizationId: home.id, batches })
  expect(await placing(1)).toBe(true)
  expect((await placedIn(teamId)).length).toBeGreaterThanOrEqual(49)
  expect((await placedIn(teamId)).length).toBeLessThanOrEqual(50)
  expect(await placing(2)).toBe(false)
  expect(await placedIn(teamId)).toEqual(members)
  expect(await placing(1)).toBe(false)
})

it('places everyone although one of them has the user name of another person', async () => {
  const home = await world.newScimHome()
  const { teamId } = await world.addTeam(home.id, { name: 'Red' })
  const text = `INSERT INTO sign_on_groups (organization_id, group_name, position, team_id, role) VALUES ($1, 'Crew', 0, $2, 'member')`
  await world.pool.query(text, [home.id, teamId])
  const stranger = await world.addMember(home.id)
  const { id } = await home.create('ada')
  await world.pool.query('UPDATE scim_users SET user_name = $2 WHERE member_id = $1', [id, stranger.email])
  const members = [String(id), stranger.memberId]
  expect((await createGroup(home, members)).status).toBe(201)
  expect(await placedIn(teamId)).toEqual(members.sort())
})
