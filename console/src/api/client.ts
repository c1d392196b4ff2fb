import createClient from 'openapi-fetch'
import type { Exact } from './exact-json.ts'
import { recordingFetch } from './recording-fetch.ts'
import type { paths } from './schema.d.ts'

/** Every endpoint of the gateway, typed by its own OpenAPI document. A refusal is thrown as `ApiError`. */
export const api = createClient<Exact<paths>>({ baseUrl: location.origin, fetch: recordingFetch })

/** What a call answered. Refusals were thrown before, so a missing answer is a fault of ours. */
export async function dataOf<Data>(call: Promise<{ data?: Data }>): Promise<Data> {
  const { data } = await call
  if (data === undefined) throw new Error('The gateway returned an empty response. Try again.')
  return data
}
