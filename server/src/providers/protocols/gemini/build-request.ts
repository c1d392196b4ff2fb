import type { CanonicalCall } from '#domain/inference/call.ts'
import { assert } from '#lib/assert.ts'
import type { JsonObject } from '#lib/json.ts'
import { addressOf } from '#providers/address-of.ts'
import { applyFeatures } from '#providers/features/apply-features.ts'
import type { ProtocolRequest, Target } from '#providers/protocol.ts'
import { credentialHeaders, jsonHeaders } from '#providers/request-headers.ts'
import type { GeminiVendor } from '#providers/spec.ts'
import { buildContents } from './build-contents.ts'
import { buildGenerationConfig } from './build-generation-config.ts'
import { buildTools } from './build-tools.ts'
import { geminiFeatures } from './features.ts'
import { ignoredFields } from './ignored-fields.ts'
import { knownExtra } from './known-extras.ts'

export function buildRequest(asked: CanonicalCall, target: Target): ProtocolRequest {
  const { vendor } = target
  const { body: extras } = applyFeatures(asked.extras, geminiFeatures, target.prices)
  const call = { ...asked, extras }
  assert(vendor.protocol === 'gemini', `${vendor.slug} does not speak Gemini`)
  return {
    ...locate(vendor, target, call.stream),
    headers: { ...jsonHeaders(call.stream), ...credentialHeaders(vendor.authentication, target.credential) },
    body: JSON.stringify(buildBody(call, target)),
    ignored: ignoredFields(call),
  }
}

function buildBody(call: CanonicalCall, target: Target): JsonObject {
  const generationConfig = buildGenerationConfig(call, target)
  const safetySettings = knownExtra(call.extras, 'safetySettings')
  const cachedContent = knownExtra(call.extras, 'cachedContent')
  return {
    ...buildContents(call, target.upstreamModel),
    ...buildTools(call),
    ...(Object.keys(generationConfig).length === 0 ? {} : { generationConfig }),
    ...(safetySettings === undefined ? {} : { safetySettings }),
    ...(cachedContent === undefined ? {} : { cachedContent }),
  }
}

function locate(vendor: GeminiVendor, target: Target, stream: boolean): { origin: string; path: string } {
  const { origin, prefix, search: ownSearch } = addressOf(target)
  // A function, because a model's name could contain replacement patterns.
  const place = vendor.modelPath.replace('{model}', () => encodeURIComponent(target.upstreamModel))
  const searchParams = new URLSearchParams(ownSearch)
  if (stream) searchParams.set('alt', 'sse')
  const search = searchParams.size === 0 ? '' : `?${searchParams}`
  return { origin, path: `${prefix}${place}:${stream ? 'streamGenerateContent' : 'generateContent'}${search}` }
}
