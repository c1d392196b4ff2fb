import { afterAll, beforeAll, expect, it } from 'vitest'
import { agrees, bodyOf, type Cell, listCells, pathOf } from '#test/attack/isolation/cells.ts'
import { createThingFinder, type ThingFinder } from '#test/attack/isolation/find-things.ts'
import { listEndpoints } from '#test/attack/isolation/list-endpoints.ts'
import { makePlace } from '#test/attack/isolation/make-things.ts'
import { gatherPeople } from '#test/attack/isolation/people.ts'
import { untilVerified } from '#test/attack/setup/until-verified.ts'
import { atOnce } from '#test/attack/setup/at-once.ts'
import { type ExpectedEndpoint, readAccess } from './read-access.ts'
import { targetsOf } from './targets.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import { type MailServer, startMailServer } from '#test/setup/mail-server.ts'
import type { Reply } from '#test/setup/reply.ts'

/** A request for a thing of the client's own organization, and its response. */
interface Walked extends Cell {
  readonly status: number
  readonly rateLimit: string | null
}

const accountRate = '1000000'
let gateway: TestGateway
let mail: MailServer
let things: ThingFinder
let walked: readonly Walked[]
let listed: Awaited<ReturnType<typeof listEndpoints>>

// The attack covers foreign and deleted things; here every client requests things of its own organization.
beforeAll(async () => {
  // Without a mail server, a request for a code would be refused.
  mail = await startMailServer()
  gateway = await startTestGateway({
    WEIR_LIMITS_ACCOUNT: accountRate,
    WEIR_RESPONSES_RETENTION_MS: '3600000',
    WEIR_TEST_MODELS_ENABLED: 'true',
    WEIR_MAIL_URL: mail.url,
    WEIR_MAIL_FROM: 'Weir <weir@example.com>',
  })
  const places = { home: await makePlace(gateway, 'home'), away: await makePlace(gateway, 'away') }
  const people = (await gatherPeople(gateway, places.home, places.away)).filter(({ roleIn }) => roleIn.away === null)
  listed = await listEndpoints(gateway.url)
  things = await createThingFinder({
    registry: gateway,
    places,
    marks: { home: 'home', away: 'away' },
    vanish: async () => {},
    storeResponse,
  })
  const cells = listCells(listed.endpoints, people).filter(
    ({ endpoint, target }) => target === targetsOf(endpoint.path)[0],
  )
  const answered: Walked[] = []
  // Fewer than the gateway has connections to Postgres: none waits for another's.
  await atOnce(cells, 8, async (cell) => {
    const { status, headers } = await ask(cell, cell.caller.headers)
    answered.push({ ...cell, status, rateLimit: headers.get('x-ratelimit-limit') })
  })
  walked = answered
  // All requests of the file run here, so they may take as long as many tests.
}, 900_000)
async function storeResponse(headers: Record<string, string>): Promise<string | null> {
  const body = JSON.stringify({ model: 'test/echo', input: 'Hello', store: true })
  const sent = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body }
  const stored: unknown = await (await fetch(`${gateway.url}/v1/responses`, sent)).json()
  return typeof stored === 'object' && stored !== null && 'id' in stored ? String(stored.id) : null
}

afterAll(async () => {
  await gateway.close()
  await mail.close()
})

/** Deletable things are created for the request, even for a client to be rejected: otherwise others would miss them. */
async function ask(cell: Cell, headers: Readonly<Record<string, string>>): Promise<Reply> {
  const { endpoint, caller, target } = cell
  const made = endpoint.path.endsWith('{teamId}') ? 'team' : 'in team'
  const names = await things.find(caller, target, endpoint.method === 'DELETE' ? made : 'before')
  return untilVerified(() => gateway.as().send(endpoint.method, pathOf(cell, names), bodyOf(cell), { headers }))
}

/** The requests whose response differs from the table, checked over at least this many. */
function mismatches(atLeast: number, isMeant: (cell: Walked) => boolean): string[] {
  const meant = walked.filter(isMeant)
  expect(meant.length).toBeGreaterThanOrEqual(atLeast)
  return meant
    .filter(({ status, expected }) => !agrees(status, expected))
    .map(({ label, status, expected }) => `${label}: ${status}, not ${expected}`)
}

// Counting tokens calls no model.
const isModelCall = ({ endpoint: { method, path } }: Pick<Walked, 'endpoint'>): boolean =>
  method === 'POST' &&
  !path.endsWith('/count_tokens') &&
  /^\/v[12]\/(?:cursor\/|fim\/)?(?:chat|responses|messages|completions|embeddings|rerank|moderations|images|videos|video|audio)\b/.test(
    path,
  )

const managesAndCalls = (cell: Walked): boolean => cell.caller.credential === 'management_key' && isModelCall(cell)
const isUnknown = ({ caller, endpoint }: Walked): boolean => caller.standing === 'nobody' && endpoint.accepts !== null
const isPupil = ({ caller }: Walked): boolean => caller.credential === 'institution_session'

it('knows every endpoint of the gateway, and no other', () => {
  expect(listed.unexpected).toEqual([])
  expect(listed.missing).toEqual([])
})

it('[AUTH-01] no protected endpoint answers without a credential', () => {
  expect(mismatches(90, isUnknown)).toEqual([])
  expect(new Set(walked.filter(isUnknown).map(({ status }) => status))).toEqual(new Set([401]))
})

it('[ORG-04] every route below an organization is closed to a plain member, with a management key and with a session', () => {
  const closed = walked.filter(
    ({ caller: { credential, roleIn, standing }, endpoint: { path } }) =>
      path.startsWith('/v1/orgs/{orgId}') &&
      (credential === 'management_key' || credential === 'session') &&
      roleIn.home === 'member' &&
      standing === 'known',
  )
  expect(new Set(closed.map(({ caller }) => caller.credential))).toEqual(new Set(['management_key', 'session']))
  expect(new Set(closed.map(({ endpoint: { method, path } }) => `${method} ${path}`)).size).toBe(23)
  expect(closed.filter(({ status }) => status !== 403).map(({ label, status }) => `${label}: ${status}`)).toEqual([])
})

it('[AUTH-08] a management key calls no model', () => {
  expect(mismatches(60, managesAndCalls)).toEqual([])
  const known = walked.filter((cell) => managesAndCalls(cell) && cell.caller.standing === 'known')
  expect(new Set(known.map(({ status }) => status))).toEqual(new Set([403]))
})

it('[AUTH-18] a session calls no model', () => {
  expect(mismatches(40, (cell) => cell.caller.credential === 'session' && isModelCall(cell))).toEqual([])
})

it('[EDU-11] [EDU-12] the session of an institution chats and embeds, and nothing else', () => {
  expect(mismatches(90, isPupil)).toEqual([])
  const allowed = walked.filter((cell) => isPupil(cell) && cell.endpoint.accepts !== null && cell.expected === 'pass')
  expect(allowed.map(({ endpoint: { path } }) => path).toSorted()).toEqual([
    '/v1/chat/completions',
    '/v1/cursor/chat/completions',
    '/v1/embeddings',
  ])
})

it.each(['org_admin', 'billing_viewer', 'team_admin', 'member'] as const)(
  '[ORG-06] [ORG-08] a %s does what the role may, with a session and with keys',
  (role) => {
    expect(mismatches(300, ({ caller }) => caller.roleIn.home === role)).toEqual([])
  },
)

it('everybody else gets what the table says', () => {
  expect(mismatches(1_500, () => true)).toEqual([])
})

const isOf = ({ method, path }: ExpectedEndpoint): ((cell: Walked) => boolean) => {
  return ({ endpoint }) => endpoint.method === method && endpoint.path === path
}
const isProtected = ({ accepts }: ExpectedEndpoint): boolean => accepts !== null
/** With names that a title shows in full. */
const named = (isMeant: (endpoint: ExpectedEndpoint) => boolean) =>
  [...readAccess()].filter(([, endpoint]) => isMeant(endpoint))

it.each(named(() => true))('%s answers everybody as the table says', (_name, endpoint) => {
  expect(mismatches(20, isOf(endpoint))).toEqual([])
})

const isAccountRead = (endpoint: ExpectedEndpoint): boolean => isProtected(endpoint) && !isModelCall({ endpoint })

it.each(named(isAccountRead))('[LIMIT-07] [HEAD-04] %s tells the rate of account reads', (_name, endpoint) => {
  const passed = walked.filter(isOf(endpoint)).filter(({ expected }) => expected === 'pass')
  expect(new Set(passed.map(({ rateLimit }) => rateLimit))).toEqual(new Set([accountRate]))
})

const takesKey = ({ accepts }: ExpectedEndpoint): boolean => [...(accepts ?? [])].some((word) => word !== 'session')

it.each(named(takesKey))('[AUTH-04] [AUTH-06] %s with a key in x-api-key', async (_name, endpoint) => {
  const cell = walked
    .filter(isOf(endpoint))
    .find(({ caller, expected }) => expected === 'pass' && bearerOf(caller) !== '')
  if (cell === undefined) throw new Error('nobody may call it with a key')
  const { status } = await ask(cell, { 'x-api-key': bearerOf(cell.caller) })
  const isOpened = endpoint.path.startsWith('/v1/messages')
  expect(status === 401).toBe(!isOpened)
})

const isOnlyGet = ({ method, path }: ExpectedEndpoint): boolean => method === 'GET' && !readAccess().has(`HEAD ${path}`)

it.each(named(isOnlyGet).map(([, endpoint]) => [`HEAD ${endpoint.path}`, endpoint] as const))(
  '%s is no endpoint',
  async (_name, endpoint) => {
    const cell = walked.filter(isOf(endpoint)).find(({ expected }) => expected === 'pass')
    if (cell === undefined) throw new Error('nobody may call it')
    const { status } = await ask({ ...cell, endpoint: { ...endpoint, method: 'HEAD' } }, cell.caller.headers)
    expect(status).toBe(404)
  },
)

function bearerOf({ headers }: Walked['caller']): string {
  return headers['authorization']?.replace('Bearer ', '') ?? ''
}
