import { Agent, request } from 'node:http'
import { finished } from 'node:stream/promises'

export interface FloodedRequest {
  readonly url: string
  readonly key: string
  readonly body: string
}

interface FloodResult {
  /** Answered requests by status. */
  readonly statuses: ReadonlyMap<number, number>
  /** Requests without an answer. */
  readonly broken: number
  readonly ms: number
}

const connectionsMax = 64

/** Sends small requests as fast as this process can, over a few connections. Keeps nothing of the answers. */
export async function flood(count: number, next: (index: number) => FloodedRequest): Promise<FloodResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: connectionsMax })
  const statuses = new Map<number, number>()
  const startedAtMs = performance.now()
  let [sent, broken] = [0, 0]
  const client = async (): Promise<void> => {
    while (sent < count) {
      sent += 1
      const status = await send(agent, next(sent - 1)).catch(() => null)
      if (status === null) broken += 1
      else statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: connectionsMax }, client))
  agent.destroy()
  return { statuses, broken, ms: performance.now() - startedAtMs }
}

async function send(agent: Agent, { url, key, body }: FloodedRequest): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const sent = request(`${url}/v1/chat/completions`, { method: 'POST', agent, headers }, (response) => {
    response.resume()
    finished(response).then(() => resolve(response.statusCode ?? 0), reject)
  })
  sent.on('error', reject)
  sent.end(body)
  return promise
}
