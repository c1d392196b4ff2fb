import { setTimeout as wait } from 'node:timers/promises'
import { Agent, request } from 'undici'

/** Response times in milliseconds. */
export interface ReadTimes {
  readonly p50: number
  readonly p99: number
}

// About 200 reads per second over four connections, so that the response is timed and not a queue.
const pauseMs = 20

/** Requests paths in turn over a few connections, so that a disturbance affects all of them alike. */
export async function timeReads(
  url: string,
  key: string,
  input: { forMs: number; connections: number; paths: readonly (() => string)[] },
): Promise<ReadTimes[]> {
  const agent = new Agent({ connections: input.connections, pipelining: 1 })
  const times: number[][] = input.paths.map(() => [])
  const endMs = Date.now() + input.forMs
  const readOn = async (): Promise<void> => {
    while (Date.now() < endMs) {
      for (const [index, path] of input.paths.entries()) {
        const startedMs = performance.now()
        const { statusCode, body } = await request(url + path(), {
          dispatcher: agent,
          headers: { authorization: `Bearer ${key}` },
        })
        await body.dump()
        if (statusCode !== 200) throw new Error(`${path()} answered ${statusCode}`)
        times[index]?.push(performance.now() - startedMs)
        await wait(pauseMs)
      }
    }
  }
  await Promise.all(Array.from({ length: input.connections }, readOn))
  await agent.close()
  return times.map((found) => {
    const sorted = found.toSorted((one, other) => one - other)
    const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? 0
    return { p50: at(0.5), p99: at(0.99) }
  })
}
