import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accessTable } from '#domain/access/access-table.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import { type ActionRoute, listActionRoutes } from './actions.ts'
import { hostileRequests, type Names } from './hostile-requests.ts'
import { gatherPeople, type Person, type Place } from './people.ts'

const atOnce = 16
const callers = new Set([
  'nobody',
  'org_admin here, session',
  "org_admin here, organization's management key",
  'team_admin here, session',
  "member here, organization's standard key",
  'institution session',
])

describe('whatever is sent, by whomever', () => {
  let gateway: TestGateway
  let routes: ActionRoute[]
  let people: Person[]
  let names: Names

  beforeAll(async () => {
    gateway = await startTestGateway({ WEIR_LIMITS_ACCOUNT: '1000000' })
    const [home, away] = [await makePlace(gateway), await makePlace(gateway)]
    routes = (await listActionRoutes(gateway)).filter(({ path }) => !path.startsWith('/api/v1/'))
    people = (await gatherPeople(gateway, home, away)).filter(({ name }) => callers.has(name))
    names = await makeThings(gateway, home)
  })
  afterAll(() => gateway.close())

  it('is never answered by a fault of ours', async () => {
    const { json: described } = await gateway.as().get('/openapi.json')
    const requests = routes.flatMap((route) =>
      people
        .filter(({ credential }) => reaches(credential, route))
        .flatMap(({ headers }, position) =>
          hostileRequests(route, described, { names, isThorough: position === 0 }).map((request) => ({
            ...request,
            headers,
          })),
        ),
    )
    const faults = new Set<string>()
    await forEachAtOnce(requests, atOnce, async ({ method, path, headers, body }) => {
      const response = await gateway.as().send(method, path, body ?? undefined, { headers })
      if (response.status >= 500)
        faults.add(`${response.status} ${method} ${path.slice(0, 200)} ${body?.slice(0, 300)}`)
    })
    console.log(`${requests.length} requests to ${routes.length} routes`)
    expect([...faults]).toEqual([])
    expect(gateway.logLines.filter((line) => /^\{"level":[56]0/.test(line))).toEqual([])
  })
})

/** Whoever is refused at the door needs not try every body there. */
function reaches(credential: Person['credential'], { action }: ActionRoute): boolean {
  const accepted: readonly string[] = accessTable[action].credentials
  return credential === null ? accepted.length === 0 : accepted.includes(credential)
}

async function makePlace(gateway: TestGateway): Promise<Place> {
  const { id, walletId } = await gateway.createOrganization()
  const { teamId } = await gateway.addTeam(id)
  const other = await gateway.addTeam(id)
  return { organizationId: id, walletId, teamId, otherTeamId: other.teamId }
}

async function makeThings(gateway: TestGateway, { organizationId, teamId }: Place): Promise<Names> {
  const { memberId } = await gateway.addMember(organizationId, { teamId })
  const { keyId } = await gateway.addOrganizationKey(organizationId, { memberId })
  const { institutionKeyId, sessionId } = await gateway.addInstitutionSession(organizationId)
  return { orgId: organizationId, teamId, memberId, keyId, institutionKeyId, sessionId, id: keyId, ruleId: keyId }
}

async function forEachAtOnce<T>(items: readonly T[], count: number, work: (item: T) => Promise<void>): Promise<void> {
  const waiting = items.values()
  const worker = async (): Promise<void> => {
    for (const item of waiting) await work(item)
  }
  await Promise.all(Array.from({ length: count }, worker))
}
