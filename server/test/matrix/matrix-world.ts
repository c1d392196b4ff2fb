import { isJsonObject, type JsonObject } from '#lib/json.ts'
import type { TestCaller } from '#test/setup/accounts.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import { type Simulator, startSimulator } from '#test/simulators/start-simulator.ts'
import type { Client, RawAnswer } from './clients/client.ts'
import type { Upstream } from './upstreams/upstream.ts'

/** A gateway with one upstream behind it, and one caller with money. */
export interface MatrixWorld {
  gateway: TestGateway
  simulator: Simulator
  caller: TestCaller
  post(client: Client, body: JsonObject, headers?: Record<string, string>): Promise<RawAnswer>
  open(client: Client, body: JsonObject, signal: AbortSignal): Promise<Response>
  /** The body of the last request that the upstream has seen. */
  bodySeen(): JsonObject
  close(): Promise<void>
}

export async function startMatrixWorld(upstream: Upstream): Promise<MatrixWorld> {
  const [gateway, simulator] = await Promise.all([startTestGateway(), startSimulator()])
  for (const { vendor, model, basePath } of upstream.vendors) {
    await gateway.addProvider({ vendor, url: `${simulator.url}${basePath}`, pattern: model })
  }
  const caller = await gateway.createCaller()
  const send = (client: Client, body: JsonObject, init: RequestInit): Promise<Response> =>
    fetch(`${gateway.url}${client.path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      ...init,
      headers: { authorization: `Bearer ${caller.key}`, 'content-type': 'application/json', ...init.headers },
    })
  return {
    gateway,
    simulator,
    caller,
    post: async (client, body, headers = {}) => {
      const response = await send(client, body, { headers })
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
      return { status: response.status, headers: response.headers, text: await response.text(), isStream }
    },
    open: (client, body, signal) => send(client, body, { signal }),
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
