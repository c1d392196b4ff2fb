import { randomBytes, hash, randomUUID } from 'node:crypto'
import type { Area, Attack } from '../area.ts'
import { asCurl, sendJson } from '../setup/send.ts'

/** An organization with a directory, a person and a group. */
interface Home {
  readonly organizationId: string
  readonly domain: string
  readonly secret: string
  readonly userId: string
  readonly groupId: string
}

export const provisioning: Area = {
  name: 'provisioning',
  tries: "to reach people and groups of others with a directory's token, and to exhaust the gateway with SCIM",
  async run(attack) {
    const [home, away] = [await makeHome(attack), await makeHome(attack)]
    const before = await readState(attack, away.organizationId)
    await tryForeign(attack, home, away)
    await tryCredentials(attack, home)
    await tryFilters(attack, home)
    await tryBodies(attack, home)
    const isRight = (await readState(attack, away.organizationId)) === before
    attack.report.judge({ label: 'the other organization', isRight, expected: 'no change', got: 'a change' })
  },
}

async function makeHome(attack: Attack): Promise<Home> {
  const { world } = attack
  const { id } = await world.createOrganization()
  await world.addMember(id, { role: 'org_admin' })
  const domain = `d${randomUUID().slice(0, 8)}.example`
  const secret = `scim-weir-${randomBytes(24).toString('hex')}`
  await world.pool.query(
    `INSERT INTO organization_domains (id, organization_id, domain, token, verified_at) VALUES ($1, $2, $3, 'weir-attack', now())`,
    [randomUUID(), id, domain],
  )
  await world.pool.query(
    `INSERT INTO scim_tokens (id, organization_id, name, secret_hash, prefix, suffix) VALUES ($1, $2, 'attack', $3, '', '')`,
    [randomUUID(), id, hash('sha256', secret, 'buffer')],
  )
  const home = { organizationId: id, domain, secret, userId: '', groupId: '' }
  const user = await request(attack, home, { method: 'POST', path: '/Users', body: { userName: `ada@${domain}` } })
  const group = await request(attack, home, { method: 'POST', path: '/Groups', body: { displayName: 'Secret' } })
  return { ...home, userId: String(JSON.parse(user.text).id), groupId: String(JSON.parse(group.text).id) }
}

interface Sent {
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

function request({ world }: Attack, { secret }: Pick<Home, 'secret'>, { method, path, body }: Sent) {
  const headers = { authorization: `Bearer ${secret}` }
  return sendJson(`${world.nextGateway().url}/scim/v2${path}`, { method, headers, body })
}

/** Sends one attempt and judges its status. */
async function expectStatus(
  attack: Attack,
  home: Pick<Home, 'secret'>,
  { label, expected, ...sent }: Sent & { label: string; expected: readonly number[] },
): Promise<string> {
  if (!attack.report.attempt(label)) return ''
  const { status, text } = await request(attack, home, sent)
  if (!expected.includes(status)) {
    const got = `${status} ${text.slice(0, 200)}`
    attack.report.find({ label, expected: expected.join(' or '), got, request: asCurl(sent.path, sent) })
  }
  return text
}

const rename = { Operations: [{ op: 'replace', path: 'displayName', value: 'taken over' }] }

/** An id of another organization is answered like one that never was. */
async function tryForeign(attack: Attack, home: Home, away: Home): Promise<void> {
  for (const [kind, foreign] of [
    ['Users', away.userId],
    ['Groups', away.groupId],
  ] as const) {
    const bodies = {
      GET: undefined,
      PUT: { userName: `x@${home.domain}`, displayName: 'x' },
      PATCH: rename,
      DELETE: undefined,
    }
    for (const [method, body] of Object.entries(bodies)) {
      const [theirs, none] = await Promise.all(
        [foreign, randomUUID()].map((id) =>
          expectStatus(attack, home, {
            label: `${method} of foreign ${kind}`,
            method,
            path: `/${kind}/${id}`,
            body,
            expected: [404],
          }),
        ),
      )
      const isRight = theirs === none
      attack.report.judge({
        label: `${method} of ${kind} tells nothing`,
        isRight,
        expected: none ?? '',
        got: theirs ?? '',
      })
    }
  }
  const member = { Operations: [{ op: 'add', path: 'members', value: [{ value: away.userId }] }] }
  await expectStatus(attack, home, {
    label: 'a foreign person in a group',
    method: 'PATCH',
    path: `/Groups/${home.groupId}`,
    body: member,
    expected: [400],
  })
  const stolen = [
    { userName: `eve@${away.domain}` },
    { userName: 'eve', emails: [{ value: `ada@${away.domain}`, primary: true }] },
    { userName: `eve@sub.${home.domain}` },
    { userName: `eve@${home.domain}.evil.example` },
    { userName: `"eve@${home.domain}"@${away.domain}` },
    { userName: `eve@${away.domain}\u0000@${home.domain}` },
  ]
  for (const body of stolen) {
    const label = `a person of ${JSON.stringify(body)}`
    await expectStatus(attack, home, { label, method: 'POST', path: '/Users', body, expected: [400] })
  }
  const move = { Operations: [{ op: 'replace', path: 'emails[type eq "work"].value', value: `ada@${away.domain}` }] }
  const path = `/Users/${home.userId}`
  await expectStatus(attack, home, {
    label: "another domain's address",
    method: 'PATCH',
    path,
    body: move,
    expected: [400],
  })
}

async function tryCredentials(attack: Attack, home: Home): Promise<void> {
  const { key } = await attack.world.addOrganizationKey(home.organizationId)
  const secrets = [
    '',
    'x',
    key,
    home.secret.toUpperCase(),
    `${home.secret}0`,
    home.secret.slice(0, -1),
    `${home.secret}'--`,
  ]
  for (const [position, secret] of [...secrets, 'scim-weir-'.repeat(1_000)].entries()) {
    const label = `the wrong token ${position}`
    await expectStatus(attack, { secret }, { label, method: 'GET', path: '/Users', expected: [401] })
  }
}

/** Each is refused at once; a pattern that backtracks would keep the gateway from every other request. */
async function tryFilters(attack: Attack, home: Home): Promise<void> {
  const filters = [
    `userName eq "${'x'.repeat(6_000)}"`,
    `a eq "${'\n'.repeat(1_500)}`,
    `a eq "${'\\'.repeat(1_500)}`,
    `${'('.repeat(1_900)}a pr`,
    `${'not ('.repeat(400)}a pr`,
    `${'a['.repeat(900)}`,
    `userName eq "x' OR 1=1 --"; DROP TABLE members`,
    'constructor pr',
    '__proto__ pr',
    '__proto__.x eq "y"',
    'password sw "a"',
    'userId eq "x"',
  ]
  for (const filter of filters) {
    const label = `the filter ${filter.slice(0, 40)}`
    const path = `/Users?filter=${encodeURIComponent(filter)}`
    await expectStatus(attack, home, { label, method: 'GET', path, expected: [400, 414, 431] })
  }
  const many = Array.from({ length: 150 }, () => 'active pr').join(' or ')
  const path = `/Users?filter=${encodeURIComponent(many)}&count=999999999&startIndex=999999999`
  await expectStatus(attack, home, { label: 'a long filter and a far page', method: 'GET', path, expected: [200] })
}

const levels = 10_000
const deepBody = `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

async function tryBodies(attack: Attack, home: Home): Promise<void> {
  const bodies: readonly (readonly [string, unknown, readonly number[]])[] = [
    ['a deep body', deepBody, [400]],
    ['a large body', { Operations: 'x'.repeat(1_200_000) }, [413]],
    ['many operations', { Operations: Array.from({ length: 5_000 }, () => ({ op: 'remove', path: 'title' })) }, [400]],
    ['a prototype', `{"Operations":[{"op":"add","value":{"__proto__":{"active":true},"constructor":{}}}]}`, [400]],
    ['a path of another prototype', { Operations: [{ op: 'add', path: '__proto__.admin', value: true }] }, [400]],
    ['a role', { Operations: [{ op: 'add', path: 'role', value: 'org_admin' }] }, [400]],
    ['a NUL', { Operations: [{ op: 'add', path: 'displayName', value: 'a\u0000b' }] }, [400]],
    ['half a character', '{"Operations":[{"op":"add","path":"displayName","value":"\\ud800"}]}', [400]],
  ]
  for (const [label, body, expected] of bodies) {
    await expectStatus(attack, home, { label, method: 'PATCH', path: `/Users/${home.userId}`, body, expected })
  }
}

/** People and groups of an organization, with their accounts. */
async function readState({ world }: Attack, organizationId: string): Promise<string> {
  const texts = [
    'SELECT m.*, u.email, u.name FROM members m JOIN users u ON u.id = m.user_id WHERE m.organization_id = $1 ORDER BY m.id',
    'SELECT * FROM scim_users WHERE organization_id = $1 ORDER BY member_id',
    'SELECT g.*, gm.member_id FROM scim_groups g LEFT JOIN scim_group_members gm ON gm.group_id = g.id WHERE g.organization_id = $1 ORDER BY g.id, gm.member_id',
  ]
  const rows = await Promise.all(texts.map(async (text) => (await world.pool.query(text, [organizationId])).rows))
  return JSON.stringify(rows)
}
