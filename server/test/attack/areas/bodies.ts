import assert from 'node:assert/strict'
import { isJsonObject, type JsonObject, objectAt } from '#lib/json.ts'
import { type HostileRequest, hostileRequests } from '../bodies/hostile-requests.ts'
import { gatherPeople, type Person } from '../isolation/people.ts'
import type { Area, Attack } from '../area.ts'
import { malformedBodies, type OddBody, unacceptedForms } from '../expected/odd-bodies.ts'
import type { ExpectedEndpoint } from '#test/oracle/read-access.ts'
import { tryBombs } from '../bodies/try-bombs.ts'
import { callerFor } from '../isolation/caller-for.ts'
import { listEndpoints } from '../isolation/list-endpoints.ts'
import { makeOperatedThings, makePlace, makeThings, type Things } from '../isolation/make-things.ts'
import { atOnce } from '../setup/at-once.ts'
import { asCurl, send, sendJson } from '../setup/send.ts'

const lanes = 16
const shortFields = 2_000

export const bodies: Area = {
  name: 'bodies',
  tries: 'bodies that are malformed, deep, wide, huge or polluting, at every endpoint that takes one',
  async run(attack) {
    const { world, report, random, isShort } = attack
    // First, because what follows uses up how often a code may be asked for.
    await tryBombs(attack)
    const home = await makePlace(world, 'home')
    const callers = await gatherPeople(world, home, await makePlace(world, 'away'))
    const { organizationId, teamId } = home
    const own = { organizationId, teamId, mark: 'home' }
    const things = { ...(await makeThings(world, own)), ...(await makeOperatedThings(world)) }
    const { endpoints, document } = await listEndpoints(world.nextGateway().url)
    const takers = endpoints.filter((endpoint) => takesJson(document, endpoint))
    const odd = takers.flatMap((endpoint) => {
      const forms = takesForm(document, endpoint) ? [] : unacceptedForms
      return [...malformedBodies, ...forms].map((body) => ({ endpoint, body }))
    })
    await atOnce(isShort ? random.shuffle(odd).slice(0, 200) : odd, lanes, ({ endpoint, body }) =>
      tryBody(attack, { endpoint, body, caller: callerFor(endpoint, callers), things }),
    )
    const names = { ...things, id: things['keyId'] ?? '', jobId: 'vjob_0' }
    const fields = endpoints.flatMap((endpoint) =>
      hostileRequests(endpoint, document, { names, isThorough: true }).map((request) => ({ endpoint, request })),
    )
    const chosen = isShort ? random.shuffle(fields).slice(0, shortFields) : fields
    await atOnce(chosen, lanes, async ({ endpoint, request }) => {
      const label = labelOf(endpoint, request, names)
      if (!report.attempt(label)) return
      const sent = {
        method: request.method,
        headers: callerFor(endpoint, callers).headers,
        body: request.body ?? undefined,
      }
      const url = world.nextGateway().url + request.path
      const { status, text } = await sendJson(url, sent)
      if (status > 0 && status < 500) return
      report.find({ label, expected: 'no fault', got: `${status} ${text.slice(0, 300)}`, request: asCurl(url, sent) })
    })
    await releaseBrake(attack)
    report.figure(
      `${takers.length} endpoints that take JSON, ${odd.length} odd bodies, ${fields.length} hostile fields and names`,
    )
  },
}

/** With the names of parameters in the place of ids, which are others in every run. */
function labelOf({ method }: ExpectedEndpoint, { path, body }: HostileRequest, names: Things): string {
  const plain = Object.entries(names).reduce((rest, [name, id]) => rest.replaceAll(id, `{${name}}`), path)
  return `${method} ${plain.slice(0, 200)} ${body?.slice(0, 200) ?? ''}`
}

/** A hostile operator may have stopped the whole service, which is an operator's right. */
async function releaseBrake({ world }: Attack): Promise<void> {
  const { key } = await world.addOperatorKey()
  const headers = { authorization: `Bearer ${key}` }
  const { status, text } = await sendJson(`${world.nextGateway().url}/api/admin/brake`, {
    method: 'PUT',
    headers,
    body: { engaged: false },
  })
  assert.equal(status, 200, text)
}

async function tryBody(
  { world, report }: Attack,
  tried: { endpoint: ExpectedEndpoint; body: OddBody; caller: Person; things: Things },
): Promise<void> {
  const { endpoint, body, caller, things } = tried
  const label = `${endpoint.method} ${endpoint.path} with ${body.name}`
  if (!report.attempt(label)) return
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => things[name] ?? things['keyId'] ?? name)
  const headers = { 'content-type': 'application/json', ...caller.headers, ...body.headers }
  const url = world.nextGateway().url + path
  const { status, text } = await send(url, { method: endpoint.method, headers, body: body.bytes })
  if (body.statuses.includes(status)) return
  const request = asCurl(url, { method: endpoint.method, headers, body: body.bytes.toString('latin1') })
  report.find({ label, expected: body.statuses.join(' or '), got: `${status} ${text.slice(0, 200)}`, request })
}

function contentOf(document: JsonObject, { method, path }: ExpectedEndpoint): JsonObject {
  const operation = objectAt(objectAt(objectAt(document, 'paths'), path), method.toLowerCase())
  return objectAt(objectAt(operation, 'requestBody'), 'content')
}

function takesJson(document: JsonObject, endpoint: ExpectedEndpoint): boolean {
  return isJsonObject(contentOf(document, endpoint)['application/json'])
}

function takesForm(document: JsonObject, endpoint: ExpectedEndpoint): boolean {
  return isJsonObject(contentOf(document, endpoint)['multipart/form-data'])
}
