import type { ModelKind, UpstreamApi } from '../../server/src/domain/catalogue/model.ts'
import { vendors, type VendorSlug } from '../../server/src/providers/registry.ts'
import { has } from '../../server/test/twins/report-twins.ts'
import type { Capability } from '../../server/test/twins/twin.ts'
import { unverified, verificationOf } from '../docs/provider-verification.ts'

/** Whether anything besides our own simulators verifies our requests to this provider for such a model. */
export function isVerified(provider: string, kind: ModelKind, api: UpstreamApi | null): boolean {
  const capability = api ?? capabilities[kind]
  if (!isVendor(provider) || capability === null) return false
  return has(provider, capability) && verificationOf(provider, capability).by !== unverified
}

const capabilities = {
  chat: 'chat',
  image: 'images',
  video: 'videos',
  embedding: 'embeddings',
  speech: 'speech',
  transcription: 'transcription',
  rerank: 'rerank',
  moderation: 'moderations',
  realtime: null,
} as const satisfies Record<ModelKind, Capability | null>

function isVendor(slug: string): slug is VendorSlug {
  return slug in vendors
}
