import { isJsonObject, type JsonObject } from '#lib/json.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import type { Reply } from '#test/setup/reply.ts'
import { type Simulator, startSimulator } from '#test/simulators/start-simulator.ts'
import type { Client } from './clients/client.ts'
import type { Upstream } from './upstreams/upstream.ts'

/** A gateway with one upstream, and one client with credit. */
export interface MatrixWorld {
  gateway: TestGateway
  simulator: Simulator
  caller: TestClient
  post(client: Client, body: JsonObject, headers?: Record<string, string>): Promise<Reply>
  open(client: Client, body: JsonObject, signal: AbortSignal): Promise<Response>
  /** The body of the last request to the upstream. */
  bodySeen(): JsonObject
  close(): Promise<void>
}

export async function startMatrixWorld(upstream: Upstream): Promise<MatrixWorld> {
  const [gateway, simulator] = await Promise.all([startTestGateway(), startSimulator()])
  for (const { vendor, model, basePath, api = null } of upstream.vendors) {
    await gateway.addProvider({ vendor, url: `${simulator.url}${basePath}`, pattern: model, api })
  }
  const caller = await gateway.createClient()
  return {
    gateway,
    simulator,
    caller,
    post: (client, body, headers) => gateway.as(caller).post(client.path, body, { headers }),
    open: (client, body, signal) => gateway.as(caller).open('POST', client.path, body, { signal }),
    bodySeen: () => {
      const body: unknown = simulator.requests.at(-1)?.body
      if (!isJsonObject(body)) throw new Error('the upstream saw no body')
      return body
    },
    close: async () => {
      await gateway.close()
      await simulator.close()
    },
  }
}
