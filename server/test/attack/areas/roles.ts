import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { gatherPeople, type Person } from '../isolation/people.ts'
import type { Area, Attack } from '../area.ts'
import { type RoleProbe, roleProbes } from '../expected/role-probes.ts'
import { makePlace, makeThings, type Things } from '../isolation/make-things.ts'
import { atOnce } from '../setup/at-once.ts'
import { asCurl, sendJson } from '../setup/send.ts'

export const roles: Area = {
  name: 'roles',
  tries: 'everything that would give a member of an organization more than the role does',
  async run(attack) {
    const { world, report } = attack
    const home = await makePlace(world, 'home')
    const people = await gatherPeople(world, home, await makePlace(world, 'away'))
    const other = await makeThings(world, {
      organizationId: home.organizationId,
      teamId: home.otherTeamId,
      mark: 'other',
    })
    const { email } = await world.addMember((await world.createOrganization()).id)
    const admin = await memberOf(
      attack,
      people.find(({ name }) => name === 'org_admin here, session'),
    )
    const before = await readState(attack, home.organizationId)
    const cells = people
      .filter(({ roleIn, standing }) => roleIn.home !== null && roleIn.home !== 'org_admin' && standing === 'known')
      .flatMap((person) => roleProbes.map((probe) => ({ person, probe })))
    await atOnce(cells, 8, async ({ person, probe }) => {
      const names = {
        org: home.organizationId,
        team: home.teamId,
        otherTeam: home.otherTeamId,
        otherMember: other['memberId'] ?? '',
        otherKey: other['keyId'] ?? '',
        self: await memberOf(attack, person),
        stranger: email,
        admin,
      }
      await tryProbe(attack, { person, probe, names })
    })
    const after = await readState(attack, home.organizationId)
    for (const [table, state] of Object.entries(before)) {
      report.judge({
        label: `the rows of ${table}`,
        isRight: after[table] === state,
        expected: 'no change',
        got: 'a change',
      })
    }
    report.figure(`${roleProbes.length} wishes of ${cells.length / roleProbes.length} callers`)
  },
}

async function tryProbe(
  { world, report }: Attack,
  { person, probe, names }: { person: Person; probe: RoleProbe; names: Things },
): Promise<void> {
  const label = `${person.name} tries ${probe.tries}`
  if (!report.attempt(label)) return
  const fill = (text: string): string => text.replaceAll(/\{(\w+)\}/g, (_, name: string) => names[name] ?? name)
  const body = probe.body === undefined ? undefined : fill(JSON.stringify(probe.body))
  const request = { method: probe.method, headers: person.headers, body }
  const url = world.nextGateway().url + fill(probe.path)
  const { status, text } = await sendJson(url, request)
  const expected = expectedFor(person, probe)
  if (expected.includes(status)) return
  const got = `${status} ${text.slice(0, 200)}`
  report.find({ label, expected: expected.join(' or '), got, request: asCurl(url, request) })
}

function expectedFor({ credential, roleIn }: Person, { answers }: RoleProbe): readonly number[] {
  const role = roleIn.home
  assert.ok(role !== null && role !== 'org_admin', 'only those below an administrator are asked')
  return credential === 'session' ? answers[role] : [403]
}

async function memberOf({ world }: Attack, person: Person | undefined): Promise<string> {
  const { rows } = await world.pool.query<{ id: string }>('SELECT id FROM members WHERE user_id = $1', [person?.userId])
  return rows[0]?.id ?? ''
}

const tables = {
  organizations: 'SELECT * FROM organizations WHERE id = $1',
  teams: 'SELECT * FROM teams WHERE organization_id = $1 ORDER BY id',
  members: 'SELECT * FROM members WHERE organization_id = $1 ORDER BY id',
  api_keys: `SELECT id, type, user_id, member_id, team_id, spend_limit_nano, enabled, revoked_at FROM api_keys
    WHERE organization_id = $1 ORDER BY id`,
  filter_rules: 'SELECT * FROM filter_rules WHERE organization_id = $1 ORDER BY id',
}

/** A digest of each table: nothing may have changed, whatever the response was. */
async function readState({ world }: Attack, organizationId: string): Promise<Record<string, string>> {
  const states: Record<string, string> = {}
  for (const [table, text] of Object.entries(tables)) {
    const { rows } = await world.pool.query(text, [organizationId])
    states[table] = hash('sha256', JSON.stringify(rows))
  }
  return states
}
