import type { Outside } from '#bin/wiring/outside.ts'
import { changeAutoTier } from '#control/operators/change-auto-tier.ts'
import { operatorAuthor } from '#control/operators/platform-entry.ts'
import type { TierModels } from '#domain/routing/auto/auto-tables.ts'
import type { AutoTable, AutoTier } from '#domain/routing/auto/tiers.ts'
import type { JsonObject } from '#lib/json.ts'
import { objectAt } from '#lib/json.ts'
import { createAutoTierStore } from '#store/postgres/auto/auto-tier-store.ts'
import { createCatalogueStore } from '#store/postgres/catalogue/catalogue-store.ts'
import { callChat } from '#test/setup/call-chat.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import type { Reply } from '#test/setup/reply.ts'
import { type Simulator, startSimulator } from '#test/simulators/start-simulator.ts'

/** A gateway with one upstream for every model, and tiers that tests fill. */
export interface AutoWorld extends TestGateway {
  upstream: Simulator
  /** Changes a tier as an operator would, and refreshes the gateway. */
  setTier(table: AutoTable, tier: AutoTier, change: Partial<TierModels>): Promise<void>
  /** Sends a request as the owner of a new wallet, unless a key is given. */
  ask(body: JsonObject, options?: { path?: string; key?: string; headers?: Record<string, string> }): Promise<Reply>
  /** The routing record of a response's request. */
  routingOf(reply: Reply, key: string): Promise<JsonObject>
  close(): Promise<void>
}

/** A prompt of the tier `simple`, like all greetings of any length. */
export const greeting = [{ role: 'user', content: 'Hi there!' }]

export async function startAutoWorld(
  environment: Record<string, string> = {},
  outside: Partial<Outside> = {},
): Promise<AutoWorld> {
  const gateway = await startTestGateway({ WEIR_BREAKER_FAILURES: '100000', ...environment }, outside)
  const upstream = await startSimulator()
  await gateway.addProvider({ vendor: 'openai', url: `${upstream.url}/v1`, pattern: '*' })
  const store = createAutoTierStore(gateway.pool, Date.now)
  const catalogue = () => createCatalogueStore(gateway.pool).load()
  return {
    ...gateway,
    upstream,
    setTier: async (table, tier, change) => {
      await changeAutoTier({ store, catalogue }, { table, tier, ...change }, operatorAuthor(Date.now()))
      await gateway.gateway.refresh()
    },
    ask: async (body, { path = '/v1/chat/completions', headers = {}, key } = {}) => {
      const secret = key ?? (await gateway.createClient()).key
      const full = { model: 'auto', messages: greeting, max_tokens: 32, ...body }
      return callChat(gateway.as(secret), full, { path, headers })
    },
    routingOf: async (reply, key) => {
      const id = reply.headers.get('x-generation-id')
      const { data } = await gateway.as(key).get(`/v1/generation?id=${id}`)
      return objectAt(data, 'routing')
    },
    close: async () => {
      await gateway.close()
      await upstream.close()
    },
  }
}
