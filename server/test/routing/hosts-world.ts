import type { Outside } from '#bin/wiring/outside.ts'
import type { JsonObject } from '#lib/json.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { callChat } from '#test/setup/call-chat.ts'
import type { Reply } from '#test/setup/reply.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import { type Scenario, type Simulator, startSimulator } from '#test/simulators/start-simulator.ts'

/** A gateway and four providers of one model, tried in this order by default. */
export interface HostsWorld {
  gateway: TestGateway
  hosts: Readonly<Record<HostName, Simulator>>
  /** Posts as a new client, or as the given one. */
  chat(body: JsonObject, as?: TestClient): Promise<Reply>
  /** The number of requests per provider since `reset`, without zeros. */
  asked(): Partial<Record<HostName, number>>
  /** Makes every provider play this, and clears their requests. */
  reset(scenario?: Scenario): void
  close(): Promise<void>
}

/**
 * In the order in which they are tried. Per million tokens they cost 0.1, 0.06 (fp4), 0.04 (fp4) and 0.08 USD; the last
 * stores no prompts.
 */
const hostNames = ['groq', 'together', 'deepinfra', 'fireworks'] as const
export type HostName = (typeof hostNames)[number]

/** The model of all four. */
export const shared = 'openai/gpt-oss-20b'
/** Served by the first, the third and the fourth, only by their listings. */
export const second = 'qwen/qwen3-32b'

export async function startHostsWorld(
  environment: Record<string, string> = {},
  outside: Partial<Outside> = {},
): Promise<HostsWorld> {
  const gateway = await startTestGateway({ WEIR_BREAKER_FAILURES: '100000', ...environment }, outside)
  const start = async (vendor: HostName): Promise<Simulator> => {
    const simulator = await startSimulator()
    const priority = hostNames.indexOf(vendor)
    await gateway.addProvider({ vendor, url: `${simulator.url}/v1`, pattern: shared, priority })
    return simulator
  }
  const hosts = {
    groq: await start('groq'),
    together: await start('together'),
    deepinfra: await start('deepinfra'),
    fireworks: await start('fireworks'),
  }
  return {
    gateway,
    hosts,
    chat: async (body, as) => {
      const caller = as ?? (await gateway.createClient())
      return callChat(gateway.as(caller), { model: shared, ...body })
    },
    asked: () => {
      const counts: Partial<Record<HostName, number>> = {}
      for (const name of hostNames) {
        const { length } = hosts[name].requests
        if (length > 0) counts[name] = length
      }
      return counts
    },
    reset: (scenario = { kind: 'echo' }) => {
      for (const host of Object.values(hosts)) {
        host.forget()
        host.play(scenario)
      }
    },
    close: async () => {
      await gateway.close()
      await Promise.all(Object.values(hosts).map((host) => host.close()))
    },
  }
}

/** The model of a response, from a document or a stream. */
export function modelOf({ json, chunks }: Reply): unknown {
  return chunks.length > 0 ? chunks[0]?.['model'] : json.model
}
