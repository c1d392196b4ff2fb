import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { changeAutoTier } from '#control/operators/change-auto-tier.ts'
import { operatorAuthor } from '#control/operators/platform-entry.ts'
import { createAutoTierStore } from '#store/postgres/auto/auto-tier-store.ts'
import { createCatalogueStore } from '#store/postgres/catalogue/catalogue-store.ts'
import { type ChatWorld, startChatWorld, usageOf } from '#test/chat/chat-world.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import type { Reply } from '#test/setup/reply.ts'

const listed = 'google/gemma-3-27b-it:free'
let world: ChatWorld
beforeAll(async () => {
  world = await startChatWorld({ WEIR_LIMITS_AUTO_FREE_PER_ADDRESS: '4', WEIR_EDGE_PROXIES: '127.0.0.1' })
  const { pool, gateway } = world.gateway
  const deps = { store: createAutoTierStore(pool, Date.now), catalogue: () => createCatalogueStore(pool).load() }
  await changeAutoTier(deps, { table: 'free', tier: 'simple', models: [listed] }, operatorAuthor(Date.now()))
  await gateway.refresh()
})
afterAll(() => world.close())

/** An address without counts of other tests or earlier runs. */
function newAddress(): string {
  return `198.18.${randomInt(256)}.${randomInt(256)}`
}

function ask(caller: TestClient, address: string): Promise<Reply> {
  const messages = [{ role: 'user', content: 'Hi there!' }]
  return world.chat({ model: 'auto:free', messages }, { as: caller, headers: { 'x-real-ip': address } })
}

it('[FREE-10] auto:free has a cap per client address that two people use up together', async () => {
  const address = newAddress()
  const [one, two] = [await world.caller(), await world.caller({ usd: '0' })]
  for (const caller of [one, two, one, two]) {
    const reply = await ask(caller, address)
    expect(reply.status).toBe(200)
    expect(usageOf(reply).cost).toBe(0)
  }
  expect((await ask(one, address)).status).toBe(429)
  expect((await ask(two, address)).status).toBe(429)
  expect((await ask(two, newAddress())).status).toBe(200)
})

it('[FREE-10] the cap is on auto:free alone', async () => {
  const address = newAddress()
  const caller = await world.caller()
  for (let call = 0; call < 6; call += 1) {
    const reply = await world.chat({ model: listed }, { as: caller, headers: { 'x-real-ip': address } })
    expect(reply.status).toBe(200)
  }
  expect((await ask(caller, address)).status).toBe(200)
})
