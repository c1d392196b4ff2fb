import { afterAll, beforeAll, expect, it } from 'vitest'
import { openRoad, type Road } from '#test/edge/open-road.ts'
import { startSecondGateway } from '#test/edge/second-gateway.ts'
import { gatherPeople, type Person } from '#test/attack/isolation/people.ts'
import { makeJob, makeOperatedThings, makePlace, makeThings, type Things } from '#test/attack/isolation/make-things.ts'
import { ownOrigin } from '#test/setup/own-origin.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import { type ActionRoute, listActionRoutes } from './list-action-routes.ts'

const callers = [
  'org_admin here, session',
  'org_admin here, standard key',
  'org_admin here, management key',
  'operator',
]
const wanted = 'id=gen-00000000000000000000000000&view=overview&year=2026&month=1&model=openai/gpt-5.2'
// Some endpoints validate these before they read the store; the others ignore them.
const body = {
  key: 'sk-new',
  email: 'nobody@uni.example',
  name: 'n',
  role: 'member',
  amountUsd: 0.01,
  source: 'grant',
  engaged: false,
  baseUrl: 'https://203.0.113.7/v1',
  protocol: 'openai',
  allowedDomains: ['uni.example'],
  settings: {},
  emails: ['nobody@uni.example'],
  rows: [{ email: 'nobody@uni.example' }],
  monthlyBudget: 1,
  domain: 'uni.example',
  issuer: 'https://203.0.113.7',
  clientId: 'weir',
  clientSecret: 'client-secret',
  groups: [],
  token: 'unknown',
  evidenceId: '01a1f2e3-0000-7000-8000-000000000000',
  file: '[]',
  planId: '01a1f2e3-0000-7000-8000-000000000000',
  importId: '01a1f2e3-0000-7000-8000-000000000000',
}

let first: TestGateway
let road: Road
let gateway: Awaited<ReturnType<typeof startSecondGateway>>
let routes: ActionRoute[]
let people: Person[]
let things: Things

beforeAll(async () => {
  first = await startTestGateway({ WEIR_LIMITS_ACCOUNT: '1000000' })
  road = await openRoad(new URL(first.databaseUrl))
  const url = new URL(first.databaseUrl)
  url.port = String(road.port)
  gateway = await startSecondGateway({ databaseUrl: url.href }, { WEIR_HTTP_PUBLIC_URL: ownOrigin })
  routes = (await listActionRoutes(first)).filter(({ path }) => !path.startsWith('/api/v1/'))
  const home = await makePlace(first, 'home')
  const everybody = await gatherPeople(first, home, await makePlace(first, 'away'))
  people = everybody.filter(({ name }) => callers.includes(name))
  const { keyId: id } = await first.createClient()
  const jobId = await makeJob(first, home.walletId)
  things = { ...(await makeThings(first, { ...home, mark: 'home' })), ...(await makeOperatedThings(first)), id, jobId }
})
afterAll(async () => {
  road.mend()
  await gateway.close()
  await road.close()
  await first.close()
})

it('[B2] no endpoint takes a lost connection for a fault of its own', async () => {
  expect(people.map(({ name }) => name)).toEqual(callers)
  const statuses = new Map<number, number>()
  const faults: string[] = []
  for (const route of routes) {
    road.mend()
    // The client is cached, so that the endpoint itself finds the store unavailable.
    await Promise.all(people.map((person) => call({ method: 'GET', path: '/v1/credits' }, person)))
    road.cut()
    for (const { status, text } of await Promise.all(people.map((person) => call(route, person)))) {
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status >= 500 && status !== 503) faults.push(`${route.method} ${route.path}: ${status} ${text}`)
    }
  }
  expect(faults).toEqual([])
  expect(statuses.get(503) ?? 0).toBeGreaterThan(routes.length)
})

it('[B2] single sign-on and provisioning refuse while Postgres is away', async () => {
  const session = people.find(({ name }) => name === 'org_admin here, session')
  const tokens = named('/api/orgs/{orgId}/provisioning/tokens')
  const { data } = await first.as().post(tokens, { name: 'Directory' }, { headers: session?.headers ?? {} })
  const headers = { authorization: `Bearer ${String(data['token'])}` }
  const statuses = () =>
    Promise.all(
      pages.map(async (path) => (await fetch(gateway.url + named(path), { headers, redirect: 'manual' })).status),
    )
  road.mend()
  expect(await statuses()).toEqual([303, 303, 200, 200, 404])
  road.cut()
  expect(await statuses()).toEqual([503, 503, 503, 503, 503])
})

const pages = [
  '/api/sign-on/{orgId}/start?connection={connectionId}',
  '/api/sign-on/{orgId}/callback?state=unknown',
  '/scim/v2/Users',
  '/scim/v2/Groups',
  '/scim/v2/Users/{memberId}x',
]

function named(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => things[name] ?? name)
}

async function call({ method, path }: { method: string; path: string }, { headers }: Person) {
  const hasBody = method !== 'GET' && method !== 'DELETE'
  const response = await fetch(`${gateway.url}${named(path)}?${wanted}`, {
    method,
    headers: { ...headers, ...(hasBody ? { 'content-type': 'application/json' } : {}) },
    ...(hasBody ? { body: JSON.stringify(body) } : {}),
  })
  return { status: response.status, text: await response.text() }
}
