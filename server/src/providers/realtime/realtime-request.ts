import { assert } from '#lib/assert.ts'
import type { MediaTarget } from '../codecs/target.ts'
import { credentialHeaders } from '../request-headers.ts'
import type { VendorSpec } from '../spec.ts'

/** The handshake that opens a realtime session of this model. */
export function realtimeRequest(
  { realtimePath }: Pick<VendorSpec, 'realtimePath'>,
  { baseUrl, upstreamModel, authentication, credential }: MediaTarget,
): { readonly url: string; readonly headers: Readonly<Record<string, string>> } {
  assert(realtimePath !== undefined, 'only vendors of realtime sessions are candidates')
  const url = new URL(baseUrl.replace(/\/+$/, '') + realtimePath)
  url.protocol = url.protocol === 'http:' ? 'ws:' : 'wss:'
  url.searchParams.set('model', upstreamModel)
  return { url: url.href, headers: { 'user-agent': 'weir', ...credentialHeaders(authentication, credential) } }
}
