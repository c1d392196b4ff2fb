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
import { isPlatformSwitch, watchPlatformSwitches } from '../setup/platform-switches.ts'
import { asCurl, send, sendJson } from '../setup/send.ts'

const lanes = 16
const shortFields = 2_000

export const bodies: Area = {
  name: 'bodies',
  tries: 'bodies that are malformed, deep, wide, huge or polluting, at every endpoint that takes one',
  // A hostile operator engages the kill switch, and the requests that it stops log it.
  alarm: /"error":"brakeEngaged"/,
  async run(attack) {
    const { world, report, random, isShort } = attack
    // First, because the following steps use up the allowed number of codes.
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
    const tryField = createFieldTry(attack, { callers, names })
    const switches = fields.filter(({ endpoint }) => isPlatformSwitch(endpoint))
    const others = fields.filter(({ endpoint }) => !isPlatformSwitch(endpoint))
    await atOnce(isShort ? random.shuffle(others).slice(0, shortFields) : others, lanes, tryField)
    await trySwitches(attack, switches, tryField)
    report.figure(
      `${takers.length} endpoints that take JSON, ${odd.length} odd bodies, ${fields.length} hostile fields and names`,
    )
  },
}

/** With parameter names instead of ids, which differ in every run. */
function labelOf({ method }: ExpectedEndpoint, { path, body }: HostileRequest, names: Things): string {
  const plain = Object.entries(names).reduce((rest, [name, id]) => rest.replaceAll(id, `{${name}}`), path)
  return `${method} ${plain.slice(0, 200)} ${body?.slice(0, 200) ?? ''}`
}

interface HostileField {
  readonly endpoint: ExpectedEndpoint
  readonly request: HostileRequest
}

/** Sends one hostile field. Returns the status, or null if `--only` excludes it. */
type FieldTry = (field: HostileField) => Promise<number | null>

function createFieldTry(
  { world, report }: Attack,
  { callers, names }: { callers: readonly Person[]; names: Things },
): FieldTry {
  return async ({ endpoint, request }) => {
    const label = labelOf(endpoint, request, names)
    if (!report.attempt(label)) return null
    const { headers } = callerFor(endpoint, callers)
    const sent = { method: request.method, headers, body: request.body ?? undefined }
    const url = world.nextGateway().url + request.path
    const { status, text } = await sendJson(url, sent)
    if (status === 0 || status >= 500)
      report.find({ label, expected: 'no fault', got: `${status} ${text.slice(0, 300)}`, request: asCurl(url, sent) })
    return status
  }
}

/** An operator can stop the whole service. These requests run one by one, and each is reverted before the next. */
async function trySwitches(attack: Attack, fields: readonly HostileField[], tryField: FieldTry): Promise<void> {
  const { world, report } = attack
  const switches = await watchPlatformSwitches(world)
  let sent = 0
  for (const field of fields) {
    const status = await tryField(field)
    if (status === null) continue
    sent += 1
    if (status > 0 && status < 400) await switches.takeBack()
  }
  // Rejected requests must not have changed anything either.
  await switches.takeBack()
  report.figure(`${sent} requests to switches of the platform, the kill switch released ${switches.releases} times`)
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
