import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { Random } from '#test/drills/setup/random.ts'
import type { Person } from '../isolation/people.ts'
import type { Area, Attack } from '../area.ts'
import { gatherCallers } from '../isolation/callers.ts'
import { agrees, bodyOf, type Cell, listCells, pathOf } from '../isolation/cells.ts'
import { createThingFinder, type ThingFinder } from '../isolation/find-things.ts'
import { listEndpoints } from '../isolation/list-endpoints.ts'
import { createLookAlikes, type LookAlikes } from '../isolation/look-alikes.ts'
import { makePlace, type Things } from '../isolation/make-things.ts'
import { probeCache } from '../isolation/probe-cache.ts'
import { probeReferences } from '../isolation/probe-references.ts'
import { atOnce } from '../setup/at-once.ts'
import { asCurl, sendJson } from '../setup/send.ts'

const cellsMin = 6_000
const shortCells = 6_000
const lanes = 16

export const isolation: Area = {
  name: 'isolation',
  tries: 'every endpoint × every kind of credential × own, foreign, vanished and nested things',
  async run(attack) {
    const { world, report, random, isShort } = attack
    const marks = { home: mark(), away: mark() }
    const places = { home: await makePlace(world, marks.home), away: await makePlace(world, marks.away) }
    const callers = await gatherCallers(world, places)
    // On a slow machine all cells take longer than a sign-in counts as recent.
    await world.pool.query(`UPDATE auth_sessions SET created_at = now() + interval '1 day'`)
    const listed = await listEndpoints(world.nextGateway().url)
    for (const label of listed.unexpected) {
      report.find({ label, expected: 'a row in oracle/access.tsv that says who may call it', got: 'none' })
    }
    for (const label of listed.missing) {
      report.find({ label, expected: 'to be in the OpenAPI document', got: 'only a row in oracle/access.tsv' })
    }
    const vanish = vanisher(attack, callers)
    const things = await createThingFinder({
      registry: world,
      places,
      marks,
      vanish,
      storeResponse: (headers) => storeResponse(world, headers),
    })
    const cells = listCells(listed.endpoints, callers)
    assert.ok(cells.length >= cellsMin, `${cells.length} cells, at least ${cellsMin}`)
    const lookAlikes = createLookAlikes()
    const chosen = isShort ? sample(cells, random) : random.shuffle(cells)
    await atOnce(chosen, lanes, (cell) => tryCell(attack, cell, { things, lookAlikes, marks }))
    for (const { label, texts } of lookAlikes.differences()) {
      report.find({ label, expected: 'one answer for all that is not there', got: texts.join(' · ') })
    }
    const references = await probeReferences(attack, { places, callers, things })
    const cached = await probeCache(attack, { places, callers })
    report.figure(`${listed.endpoints.length} endpoints, ${callers.length} callers, ${cells.length} cells`)
    report.figure(`${cached} requests for an answer that another wallet keeps`)
    report.figure(`${references} foreign ids in bodies and queries`)
  },
}

/** Whole groups of one endpoint and one client, because their responses are compared. */
function sample(cells: readonly Cell[], random: Random): Cell[] {
  const groups = Map.groupBy(cells, ({ endpoint, caller }) => `${endpoint.method} ${endpoint.path} ${caller.name}`)
  const chosen: Cell[] = []
  for (const group of random.shuffle([...groups.values()])) {
    if (chosen.length >= shortCells) break
    chosen.push(...group)
  }
  return chosen
}

/** A unique string, so that a response that contains it leaks this organization. */
function mark(): string {
  return `mark-${randomBytes(8).toString('hex')}`
}

/** Each thing is deleted by its own endpoint; deleting an institution's key also deletes its sessions. */
const deletions = [
  '/v1/orgs/{orgId}/invitations/{invitationId}',
  '/v1/orgs/{orgId}/keys/{keyId}',
  '/v1/orgs/{orgId}/members/{memberId}',
  '/v1/orgs/{orgId}/teams/{teamId}',
  '/api/orgs/{orgId}/content-filters/{ruleId}',
  '/api/orgs/{orgId}/institution-keys/{institutionKeyId}/sessions/{sessionId}',
  '/api/orgs/{orgId}/institution-keys/{institutionKeyId}',
  '/v1/management/byok-keys/{ownKeyId}',
]

/** The same, of what takes the session of an administrator. */
const deletionsInSession = [
  '/api/orgs/{orgId}/sign-on/domains/{domainId}',
  '/api/orgs/{orgId}/sign-on/connections/{connectionId}',
  '/api/orgs/{orgId}/provisioning/tokens/{tokenId}',
]

function vanisher({ world }: Attack, callers: readonly Person[]): (things: Things) => Promise<void> {
  const callerOf = (name: string): Person => {
    const found = callers.find((caller) => caller.name === name)
    assert.ok(found !== undefined, `the organization has an administrator: ${name}`)
    return found
  }
  const steps = [
    { paths: deletions, admin: callerOf("org_admin here, organization's management key") },
    { paths: deletionsInSession, admin: callerOf('org_admin here, session') },
  ]
  return async (things) => {
    for (const { paths, admin } of steps) {
      for (const path of paths) {
        const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => things[name] ?? name)
        const { headers } = admin
        const { status, text } = await sendJson(world.nextGateway().url + filled, { method: 'DELETE', headers })
        assert.ok(status < 300, `DELETE ${path}: ${status} ${text}`)
      }
    }
  }
}

async function storeResponse(world: Attack['world'], headers: Record<string, string>): Promise<string | null> {
  const body = { model: 'test/echo', input: 'Hello', max_output_tokens: 16, store: true }
  const { status, text } = await sendJson(`${world.nextGateway().url}/v1/responses`, { method: 'POST', headers, body })
  return status === 200 ? String(JSON.parse(text).id) : null
}

async function tryCell(
  { world, report }: Attack,
  cell: Cell,
  seen: { things: ThingFinder; lookAlikes: LookAlikes; marks: { home: string; away: string } },
): Promise<void> {
  const { endpoint, caller, target, expected, label } = cell
  if (!report.attempt(label)) return
  const isDeletion = endpoint.method === 'DELETE' && expected === 'pass'
  const made = endpoint.path.endsWith('{teamId}') ? 'team' : 'in team'
  const names = await seen.things.find(caller, target, isDeletion ? made : 'before')
  const url = world.nextGateway().url + pathOf(cell, names)
  const request = { method: endpoint.method, headers: caller.headers, body: bodyOf(cell) }
  const answer = await sendJson(url, request)
  const finding = { label, request: asCurl(url, request) }
  if (!agrees(answer.status, expected)) {
    report.find({ ...finding, expected: String(expected), got: `${answer.status} ${answer.text.slice(0, 200)}` })
  }
  // An operator sees every customer.
  const seesAll = endpoint.scope === 'platform' && expected === 'pass'
  for (const where of ['home', 'away'] as const) {
    const mayKnow = seesAll || caller.roleIn[where] !== null || caller.boundTo === where
    if (mayKnow || !answer.text.includes(seen.marks[where])) continue
    report.find({ ...finding, expected: 'nothing of an organization of others', got: answer.text.slice(0, 400) })
  }
  seen.lookAlikes.note(cell, answer, Object.values(names))
}
