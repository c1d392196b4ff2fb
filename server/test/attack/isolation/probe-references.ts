import assert from 'node:assert/strict'
import { newUuid } from '#lib/uuid.ts'
import type { Person, Place } from './people.ts'
import type { Attack } from '../area.ts'
import { asCurl, sendJson } from '../setup/send.ts'
import type { ThingFinder } from './find-things.ts'
import type { Things } from './make-things.ts'
import { withoutTimes } from './without-times.ts'

interface References {
  readonly places: { readonly home: Place; readonly away: Place }
  readonly callers: readonly Person[]
  readonly things: ThingFinder
}

/** An allowed request with a foreign id in its body or query. */
interface Reference {
  readonly by: string
  readonly method: string
  readonly path: string
  readonly body?: (id: Things) => unknown
  /** The statuses of the contract, the same for a nonexistent id. */
  readonly expected: readonly number[]
}

const admin = 'org_admin here, session'
const adminKey = "org_admin here, organization's management key"
const standard = 'stranger, standard key'
const stranger = 'stranger, session'
const org = '/v1/orgs/{home}'

const references: readonly Reference[] = [
  { by: standard, method: 'GET', path: '/v1/generation?id={generation}', expected: [404] },
  { by: 'stranger, management key', method: 'GET', path: '/v1/generation?id={generation}', expected: [404] },
  {
    by: "member here, organization's standard key",
    method: 'GET',
    path: '/v1/generation?id={generation}',
    expected: [404],
  },
  { by: standard, method: 'GET', path: '/v1/insights?api_key_id={keyId}', expected: [200, 400, 404] },
  { by: stranger, method: 'GET', path: '/v1/insights?api_key_id={keyId}', expected: [200, 400, 404] },
  { by: standard, method: 'GET', path: '/v1/generations?api_key_id={keyId}', expected: [200, 400, 404] },
  { by: standard, method: 'GET', path: '/v1/generations?cursor={generation}', expected: [200, 400] },
  { by: standard, method: 'GET', path: '/v1/usage?api_key_id={keyId}', expected: [200, 400, 404] },
  { by: standard, method: 'GET', path: '/v1/generation?id={refusal}', expected: [404] },
  { by: standard, method: 'GET', path: '/v1/generations?status=refused&id={refusal}', expected: [200] },
  { by: stranger, method: 'GET', path: '/v1/generations?status=any&id={refusal}', expected: [200] },
  {
    by: "member here, organization's standard key",
    method: 'GET',
    path: '/v1/generations?status=any&id={refusal}',
    expected: [200],
  },
  { by: admin, method: 'GET', path: '/v1/generations?organization={home}&status=any&id={refusal}', expected: [200] },
  { by: standard, method: 'GET', path: '/v1/refusals?api_key_id={keyId}', expected: [200] },
  { by: admin, method: 'GET', path: '/v1/refusals?organization={home}&api_key_id={keyId}', expected: [200] },
  { by: admin, method: 'GET', path: '/v1/customers/{customerId}?organization={home}', expected: [404] },
  { by: admin, method: 'GET', path: '/v1/customers/{customerId}/usage?organization={home}', expected: [404] },
  { by: admin, method: 'GET', path: '/v1/customers/{customerId}/transfers?organization={home}', expected: [404] },
  {
    by: admin,
    method: 'PATCH',
    path: '/v1/customers/{customerId}?organization={home}',
    body: () => ({ suspended: true }),
    expected: [404],
  },
  { by: admin, method: 'GET', path: '/v1/runs/{runId}?organization={home}', expected: [404] },
  { by: admin, method: 'GET', path: '/v1/runs?organization={home}&parent={runId}', expected: [200] },
  {
    by: admin,
    method: 'POST',
    path: '/v1/runs/{runId}/stop?organization={home}',
    body: () => ({}),
    expected: [404],
  },
  { by: standard, method: 'POST', path: '/v1/runs/{runId}/stop', body: () => ({}), expected: [404] },
  {
    by: standard,
    method: 'POST',
    path: '/v1/responses',
    body: ({ responseId }) => ({ model: 'openai/gpt-5.2', input: 'Hello', previous_response_id: responseId }),
    expected: [400],
  },
  { by: admin, method: 'GET', path: '/api/orgs/{home}/audit-log?cursor={memberId}', expected: [200, 400] },
  {
    by: admin,
    method: 'POST',
    path: `${org}/members`,
    body: ({ teamId }) => ({ email: '{email}', teamId }),
    expected: [400, 404],
  },
  {
    by: admin,
    method: 'PATCH',
    path: `${org}/members/{homeMember}`,
    body: ({ teamId }) => ({ teamId }),
    expected: [400, 404],
  },
  {
    by: admin,
    method: 'PATCH',
    path: `${org}/members/{homeMember}`,
    body: ({ teamId }) => ({ role: 'team_admin', teamId }),
    expected: [400, 404],
  },
  {
    by: admin,
    method: 'POST',
    path: `${org}/keys`,
    body: ({ memberId }) => ({ name: 'x', memberId }),
    expected: [400, 404],
  },
  {
    by: admin,
    method: 'POST',
    path: `${org}/keys`,
    body: ({ teamId }) => ({ name: 'x', teamId }),
    expected: [400, 404],
  },
  {
    by: adminKey,
    method: 'POST',
    path: `${org}/keys`,
    body: ({ memberId, teamId }) => ({ name: 'x', memberId, teamId }),
    expected: [400, 404],
  },
  {
    by: adminKey,
    method: 'POST',
    path: '/v1/management/byok-keys',
    body: ({ keyId }) => ({ name: 'x', baseUrl: 'https://byok.example/v1', apiKey: 'sk-x', scopedApiKeyIds: [keyId] }),
    expected: [400],
  },
  {
    by: adminKey,
    method: 'PATCH',
    path: '/v1/management/byok-keys/{homeOwnKey}',
    body: ({ keyId }) => ({ scopedApiKeyIds: [keyId] }),
    expected: [400],
  },
]

/**
 * Sends each request with a foreign id and with a nonexistent one. Nothing may be bound to the foreign thing or reveal
 * it.
 */
export async function probeReferences(
  { world, report }: Attack,
  { places, callers, things }: References,
): Promise<number> {
  const [caller] = callers
  assert.ok(caller !== undefined, 'there are callers')
  const own = await things.find(caller, 'own', 'before')
  const foreign = await things.find(caller, 'foreign', 'before')
  const neverWas = await things.find(caller, 'never-was', 'before')
  const generation = await callOnce(world, places.away)
  const refusal = await makeRefusal(world, { ...places.away, keyId: foreign['keyId'] ?? '' })
  const { email } = await world.addMember(places.away.organizationId)
  for (const { by, method, path, body, expected } of references) {
    const person = callers.find(({ name }) => name === by)
    assert.ok(person !== undefined, `there is ${by}`)
    const answers = []
    for (const [kind, ids] of [
      ['foreign', { ...foreign, generation, refusal }] as const,
      ['never-was', { ...neverWas, generation: neverWasGeneration(), refusal: neverWasGeneration() }] as const,
    ]) {
      const names: Things = {
        ...ids,
        home: places.home.organizationId,
        homeMember: own['memberId'] ?? '',
        homeOwnKey: own['ownKeyId'] ?? '',
        email,
      }
      const fill = (text: string): string => text.replaceAll(/\{(\w+)\}/g, (_, name: string) => names[name] ?? name)
      const label = `${method} ${path} by ${by} with a ${kind} id${body === undefined ? '' : ` ${JSON.stringify(body({ keyId: 'keyId', teamId: 'teamId', memberId: 'memberId' }))}`}`
      if (!report.attempt(label)) continue
      const request = {
        method,
        headers: person.headers,
        body: body === undefined ? undefined : fill(JSON.stringify(body(names))),
      }
      const url = world.nextGateway().url + fill(path)
      const { status, text } = await sendJson(url, request)
      const plain = Object.values(names).reduce((rest, name) => rest.replaceAll(name, '…'), withoutTimes(text))
      answers.push(`${status} ${plain}`)
      if (!expected.includes(status)) {
        report.find({
          label,
          expected: expected.join(' or '),
          got: `${status} ${text.slice(0, 200)}`,
          request: asCurl(url, request),
        })
      }
    }
    if (new Set(answers).size > 1) {
      report.find({
        label: `${method} ${path} by ${by}`,
        expected: 'one answer for foreign and never-was',
        got: answers.join(' · '),
      })
    }
  }
  return references.length * 2
}

function neverWasGeneration(): string {
  return `gen-${newUuid(Date.now())}`
}

/** Writes a refused request of the other organization, as a gateway does. */
async function makeRefusal(
  { pool }: Attack['world'],
  { organizationId, walletId, keyId }: Pick<Place, 'organizationId' | 'walletId'> & { keyId: string },
): Promise<string> {
  const id = newUuid(Date.now())
  await pool.query(
    `INSERT INTO refusals (id, wallet_id, key_id, organization_id, endpoint, error, status)
     VALUES ($1, $2, $3, $4, 'chat', 'rateLimited', 429)`,
    [id, walletId, keyId, organizationId],
  )
  await pool.query(
    `INSERT INTO refusal_counts (wallet_id, hour, key_id, error, count) VALUES ($1, date_trunc('hour', now()), $2, 'rateLimited', 7)`,
    [walletId, keyId],
  )
  return `gen-${id}`
}

/** Sends a request that the other organization pays for. */
async function callOnce(world: Attack['world'], { organizationId }: Place): Promise<string> {
  const { key, keyId } = await world.addOrganizationKey(organizationId)
  world.noteUnseen(keyId)
  const answer = await sendJson(`${world.nextGateway().url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: { model: 'openai/gpt-5.2', messages: [{ role: 'user', content: 'Hello' }] },
  })
  assert.equal(answer.status, 200, answer.text)
  return String(answer.headers['x-generation-id'])
}
