import { type JsonObject, parseJsonObject } from '#lib/json.ts'
import { fetchWhole } from '../../fetch-whole.ts'
import type { HttpSinkOptions } from '../http-sink-options.ts'

const bytesMax = 64 * 1_024 * 1_024

/** Reads documents below the base URL of a metering system. */
export function createReadJson({ upstreams, url, headers, timeoutMs }: Omit<HttpSinkOptions, 'nowMs'>) {
  const base = url.replace(/\/$/, '')
  return async (path: string, query: Readonly<Record<string, string>> = {}): Promise<JsonObject> => {
    const { origin, pathname, search } = new URL(`${base}${path}?${new URLSearchParams(query)}`)
    const request = {
      method: 'GET',
      origin,
      path: pathname + search,
      headers: { 'user-agent': 'Weir', accept: 'application/json', ...headers, 'accept-encoding': 'identity' },
      body: '',
      connectTimeoutMs: timeoutMs,
      headersTimeoutMs: timeoutMs,
      bodyTimeoutMs: timeoutMs,
    } as const
    const answer = await fetchWhole(upstreams, request, { timeoutMs, bytesMax })
    if (answer.status !== 200) throw new Error(`${origin}${pathname} returned ${answer.status}`)
    const json = parseJsonObject(answer.body)
    if (json === undefined) throw new Error(`${origin}${pathname} did not return a JSON object`)
    return json
  }
}

export type ReadJson = ReturnType<typeof createReadJson>
