import createClient from 'openapi-fetch'
import type { Exact } from './exact-json.ts'
import { recordingFetch } from './recording-fetch.ts'
import type { paths } from './schema.d.ts'

/** A client for every gateway endpoint, typed by the OpenAPI document. It throws error responses as `ApiError`. */
export const api = createClient<Exact<paths>>({ baseUrl: location.origin, fetch: recordingFetch })

/** Returns the data of a response. Error responses were thrown before, so missing data is a bug. */
export async function dataOf<Data>(call: Promise<{ data?: Data }>): Promise<Data> {
  const { data } = await call
  if (data === undefined) throw new Error('The gateway returned an empty response. Try again.')
  return data
}
