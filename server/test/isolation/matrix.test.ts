import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ActionRoute, listActionRoutes } from './actions.ts'
import { expectedStatus, type Target, targets } from './expected-status.ts'
import { gatherPeople, type Person, type Place } from './people.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import { gatherThings, type ThingFinder } from './things.ts'

const cellsAtLeast = 4_000
const atOnce = 16
// What some paths need to be well-formed; the others ignore it.
const wanted = 'email=nobody@uni.example&view=overview&year=2026&month=1'

describe('[I7] every route, for every kind of caller, on every kind of thing', () => {
  let gateway: TestGateway
  let routes: ActionRoute[]
  let people: Person[]
  let things: ThingFinder

  beforeAll(async () => {
    gateway = await startTestGateway({ WEIR_LIMITS_ACCOUNT: '1000000' })
    const places = { home: await makePlace(gateway), away: await makePlace(gateway) }
    routes = await listActionRoutes(gateway)
    people = await gatherPeople(gateway, places.home, places.away)
    things = await gatherThings(gateway, places, people)
  })
  afterAll(() => gateway.close())

  async function call(route: ActionRoute, person: Person, target: Target): Promise<number> {
    const isDeleted = route.method === 'DELETE' && expectedStatus(person, route, target) === 'pass'
    const made = route.path.endsWith('{teamId}') ? 'team' : 'in team'
    const names = await things.find(person, target, isDeleted ? made : 'before')
    const path = modelPath(route.path, target).replaceAll(/\{(\w+)\}/g, (_, name: string) => names[name] ?? name)
    const hasBody = route.method !== 'GET' && route.method !== 'DELETE'
    const [body, { headers }] = [hasBody ? bodyFor(route) : undefined, person]
    return (await gateway.as().send(route.method, `${path}?${wanted}`, body, { headers })).status
  }

  it('answers as the access table says', async () => {
    const cells = routes.flatMap((route) =>
      people.flatMap((person) =>
        targetsOf(route).map((target) => ({ route, person, target, expected: expectedStatus(person, route, target) })),
      ),
    )
    const mismatches: string[] = []
    await forEachAtOnce(cells, atOnce, async ({ route, person, target, expected }) => {
      const status = await call(route, person, target)
      if (agrees(status, expected)) return
      mismatches.push(`${route.method} ${route.path} · ${person.name} · ${target}: ${status}, not ${expected}`)
    })
    console.log(
      `${cells.length} cells: ${routes.length} routes, ${people.length} callers; ${mismatches.length} mismatches`,
    )
    expect(mismatches).toEqual([])
    expect(cells.length).toBeGreaterThanOrEqual(cellsAtLeast)
  })
})

/** What passes may still be refused for what it asks, but never as one who may not, and never by a fault of ours. */
function agrees(status: number, expected: 401 | 403 | 404 | 'pass'): boolean {
  if (expected !== 'pass') return status === expected
  return status < 500 && status !== 401 && status !== 403 && status !== 404
}

async function makePlace(gateway: TestGateway): Promise<Place> {
  const { id, walletId } = await gateway.createOrganization()
  const { teamId } = await gateway.addTeam(id)
  const other = await gateway.addTeam(id)
  return { organizationId: id, walletId, teamId, otherTeamId: other.teamId }
}

/** Things of an organization are told apart by five kinds, one's own by three, and where nothing is named by one. */
function targetsOf({ path }: ActionRoute): readonly Target[] {
  // Nobody has made an image here; whose token a token is, it says itself.
  if (path.includes('{token}')) return ['missing']
  if (path.includes('{orgId}')) return targets
  return path.includes('{') ? ['home', 'away', 'missing'] : ['home']
}

/** Models are everybody's, and named in two ways. */
function modelPath(path: string, target: Target): string {
  const name = target === 'missing' ? 'nothing' : 'gpt-5.2'
  return path.replace('{author}/{slug}', `openai/${name}`).replace('{slug}', `openai-${name}`)
}

function bodyFor({ action }: ActionRoute): object {
  // Well-formed, so that what is missing is missed, and harmless.
  if (action.startsWith('operators.')) return { key: 'sk-new', amountUsd: 0.01, source: 'grant', engaged: false }
  if (action !== 'models.call' && action !== 'models.chat') return {}
  return { model: 'test/echo', messages: [{ role: 'user', content: 'Hello' }], input: 'Hello', max_tokens: 16 }
}

async function forEachAtOnce<T>(items: readonly T[], count: number, work: (item: T) => Promise<void>): Promise<void> {
  const waiting = items.values()
  const worker = async (): Promise<void> => {
    for (const item of waiting) await work(item)
  }
  await Promise.all(Array.from({ length: count }, worker))
}
