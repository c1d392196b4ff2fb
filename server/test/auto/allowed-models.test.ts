import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { changeAutoTier } from '#control/operators/change-auto-tier.ts'
import { operatorAuthor } from '#control/operators/platform-entry.ts'
import { createAutoTierStore } from '#store/postgres/auto/auto-tier-store.ts'
import { createCatalogueStore } from '#store/postgres/catalogue/catalogue-store.ts'
import {
  type OrganizationWorld,
  startOrganizationWorld,
  type TestHome,
} from '#test/organizations/organization-world.ts'
import { callChat } from '#test/setup/call-chat.ts'
import { serverError } from '#test/simulators/scenarios/error-faults.ts'
import { type Simulator, startSimulator } from '#test/simulators/start-simulator.ts'

let world: OrganizationWorld
let upstream: Simulator
let home: TestHome
let key: string

beforeAll(async () => {
  world = await startOrganizationWorld({ WEIR_BREAKER_FAILURES: '100000' })
  upstream = await startSimulator()
  await world.addProvider({ vendor: 'openai', url: `${upstream.url}/v1`, pattern: '*' })
  const deps = {
    store: createAutoTierStore(world.pool, Date.now),
    catalogue: () => createCatalogueStore(world.pool).load(),
  }
  const models = ['openai/gpt-5.2', 'openai/gpt-4o-mini', 'openai/gpt-4.1-nano']
  await changeAutoTier(deps, { table: 'paid', tier: 'simple', models }, operatorAuthor(Date.now()))
  await world.gateway.refresh()
})
beforeEach(async () => {
  home = await world.newOrganization()
  const { memberId } = await world.addMember(home.id)
  key = (await world.addOrganizationKey(home.id, { memberId })).key
  upstream.forget()
})
afterAll(async () => {
  await world.close()
  await upstream.close()
})

async function allow(...allowedModels: string[]): Promise<void> {
  expect((await home.admin.patch(`/api/orgs/${home.id}/allowed-models`, { allowedModels })).status).toBe(200)
}

function ask() {
  return callChat(world.as(key), { model: 'auto', max_tokens: 8 })
}

describe('[ALLOW-10] a tier of which an organization allows some models', () => {
  it('is served by those alone', async () => {
    await allow('openai/gpt-4o-mini')
    const reply = await ask()
    expect(reply.status).toBe(200)
    expect(reply.headers.get('x-auto-resolved-model')).toBe('openai/gpt-4o-mini')
  })

  it('falls back to no other', async () => {
    await allow('openai/gpt-4o-mini')
    upstream.play(serverError())
    expect((await ask()).status).toBe(502)
    for (const { body } of upstream.requests) expect(body).toMatchObject({ model: 'gpt-4o-mini' })
    upstream.play({ kind: 'echo' })
  })

  it('is refused where it allows none', async () => {
    await allow('google/*')
    expect((await ask()).status).toBe(403)
    expect(upstream.requests).toHaveLength(0)
  })
})
