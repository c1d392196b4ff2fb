import type { JsonObject } from '#lib/json.ts'
import { addModels } from '#test/setup/add-models.ts'
import { startOrganizationWorld, type OrganizationWorld } from '#test/organizations/organization-world.ts'
import { type RealtimeUpstream, startRealtimeUpstream } from '#test/simulators/realtime/realtime-upstream.ts'
import { openRealtime, type RealtimeClient } from './realtime-client.ts'
import { realtimeModel } from './realtime-model.ts'

export interface RealtimeWorld extends OrganizationWorld {
  readonly upstream: RealtimeUpstream
  open(key: string, handshake?: Parameters<typeof openRealtime>[1]): Promise<RealtimeClient>
  /** The receipt that a `response.done` names. */
  receiptOf(key: string, done: object): Promise<object>
}

/** A gateway that sells realtime models of a simulated upstream. */
export async function startRealtimeWorld(
  environment: Record<string, string> = {},
  outside?: Parameters<typeof startOrganizationWorld>[1],
): Promise<RealtimeWorld> {
  const world = await startOrganizationWorld({ WEIR_BREAKER_FAILURES: '100000', ...environment }, outside)
  const upstream = await startRealtimeUpstream()
  await world.addProvider({ vendor: 'openai', url: `${upstream.url}/v1`, pattern: 'openai/*' })
  await addModels(world, [
    realtimeModel('openai/gpt-realtime'),
    realtimeModel('openai/unpriced', { pricing: { prompt: '0.000004', completion: '0.000016' } }),
    realtimeModel('google/live', { provider: 'google-ai-studio' }),
  ])
  return {
    ...world,
    upstream,
    open: (key, handshake = {}) => openRealtime(world.url, { key, ...handshake }),
    receiptOf: async (key, done) => {
      const id = 'generation_id' in done ? String(done.generation_id) : ''
      const { json } = await world.as(key).get(`/v1/generation?id=${id}`)
      return typeof json.data === 'object' && json.data !== null ? json.data : {}
    },
    close: async () => {
      await world.close()
      await upstream.close()
    },
  }
}

export const hello: JsonObject = {
  type: 'conversation.item.create',
  item: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hello' }] },
}
