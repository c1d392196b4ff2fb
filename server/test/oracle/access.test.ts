import { afterAll, beforeAll, expect, it } from 'vitest'
import { agrees, bodyOf, type Cell, listCells, pathOf } from '#test/attack/isolation/cells.ts'
import { createThingFinder } from '#test/attack/isolation/find-things.ts'
import { listEndpoints } from '#test/attack/isolation/list-endpoints.ts'
import { makePlace } from '#test/attack/isolation/make-things.ts'
import { gatherPeople } from '#test/attack/isolation/people.ts'
import { atOnce } from '#test/attack/setup/at-once.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'

/** A call of an own thing, and the status that it was answered with. */
interface Walked extends Cell {
  readonly status: number
}

let gateway: TestGateway
let walked: readonly Walked[]
let listed: Awaited<ReturnType<typeof listEndpoints>>

// Foreign and vanished things are for the attack; here everybody asks for what is in the own organization.
beforeAll(async () => {
  gateway = await startTestGateway({ WEIR_LIMITS_ACCOUNT: '1000000' })
  const places = { home: await makePlace(gateway, 'home'), away: await makePlace(gateway, 'away') }
  const people = (await gatherPeople(gateway, places.home, places.away)).filter(({ roleIn }) => roleIn.away === null)
  listed = await listEndpoints(gateway.url)
  const things = await createThingFinder({
    registry: gateway,
    places,
    marks: { home: 'home', away: 'away' },
    vanish: async () => {},
  })
  const cells = listCells(listed.endpoints, people).filter(({ target }) => target === 'own')
  const answered: Walked[] = []
  await atOnce(cells, 16, async (cell) => {
    const { endpoint, caller, target, expected } = cell
    const made = endpoint.path.endsWith('{teamId}') ? 'team' : 'in team'
    const isDeletion = endpoint.method === 'DELETE' && expected === 'pass'
    const names = await things.find(caller, target, isDeletion ? made : 'before')
    const { headers } = caller
    const { status } = await gateway.as().send(endpoint.method, pathOf(cell, names), bodyOf(cell), { headers })
    answered.push({ ...cell, status })
  })
  walked = answered
})
afterAll(() => gateway.close())

/** Those that were answered otherwise than the table says, of at least so many. */
function mismatches(atLeast: number, isMeant: (cell: Walked) => boolean): string[] {
  const meant = walked.filter(isMeant)
  expect(meant.length).toBeGreaterThanOrEqual(atLeast)
  return meant
    .filter(({ status, expected }) => !agrees(status, expected))
    .map(({ label, status, expected }) => `${label}: ${status}, not ${expected}`)
}

// Counting tokens calls no model.
const isModelCall = ({ endpoint: { method, path } }: Walked): boolean =>
  method === 'POST' &&
  !path.endsWith('/count_tokens') &&
  /^\/v1\/(?:cursor\/)?(?:chat|responses|messages|embeddings|images|videos|video|audio)\b/.test(path)

const managesAndCalls = (cell: Walked): boolean => cell.caller.credential === 'management_key' && isModelCall(cell)
const isPupil = ({ caller }: Walked): boolean => caller.credential === 'institution_session'

it('knows every endpoint of the gateway, and no other', () => {
  expect(listed.unexpected).toEqual([])
  expect(listed.missing).toEqual([])
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
