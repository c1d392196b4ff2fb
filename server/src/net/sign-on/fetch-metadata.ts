import type { FetchMetadata } from '#ports/sign-on.ts'
import type { GuardedFetch } from './guarded-fetch.ts'

export function createFetchMetadata(fetch: GuardedFetch): FetchMetadata {
  return async (organizationId, url) => {
    const headers = { accept: 'application/samlmetadata+xml, application/xml, text/xml' }
    const response = await fetch(organizationId, url, { method: 'GET', headers, body: '' })
    if (response.status !== 200) throw new Error(`${url.origin} answered ${response.status} for the metadata.`)
    return response.text()
  }
}
