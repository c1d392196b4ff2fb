import type { CanonicalCall } from '#domain/inference/call.ts'
import { assert } from '#lib/assert.ts'
import type { JsonObject } from '#lib/json.ts'
import { addressOf } from '#providers/address-of.ts'
import { applyFeatures } from '#providers/features/apply-features.ts'
import type { ProtocolRequest, Target } from '#providers/protocol.ts'
import { credentialHeaders, jsonHeaders } from '#providers/request-headers.ts'
import type { AnthropicVendor } from '#providers/spec.ts'
import { claudeTraitsAt } from '#providers/traits/claude-traits.ts'
import { droppingStrayThoughts } from './dropping-stray-thoughts.ts'
import { applyBetas, messagesFeatures } from './features.ts'
import { writeBody } from './write-body.ts'

/** The request for one candidate. The call is not modified: another candidate may need it. */
export function buildMessagesRequest(call: CanonicalCall, target: Target): ProtocolRequest {
  const traits = claudeTraitsAt(target)
  const written = writeBody(call, traits)
  const bound = traits.bindsThoughts === true ? droppingStrayThoughts(written.body, call) : null
  const { body, left } = applyFeatures(bound?.body ?? written.body, messagesFeatures, target.prices)
  const named = applyBetas([...betasOf(call), ...(bound?.betas ?? [])], target.prices)
  const ignored = [...written.ignored, ...left, ...named.left]
  return { ...wrapMessagesBody({ body, betas: named.betas }, target), ignored }
}

/** Wraps a Messages body, which may be the client's own, in a request. Its model is the upstream's name. */
export function wrapMessagesBody(
  { body, betas }: { body: JsonObject; betas: readonly string[] },
  target: Target,
): Omit<ProtocolRequest, 'ignored'> {
  const { vendor, upstreamModel } = target
  assert(vendor.protocol === 'anthropic', `${vendor.slug} speaks Messages`)
  const { model: _, ...rest } = body
  const stream = body.stream === true
  const request: JsonObject = {
    ...(isModelInPath(vendor) ? {} : { model: upstreamModel }),
    ...(vendor.bodyVersion === undefined ? {} : { anthropic_version: vendor.bodyVersion }),
    ...(vendor.bodyVersion === undefined || betas.length === 0 ? {} : { anthropic_beta: [...betas] }),
    ...rest,
  }
  return {
    ...locate(vendor, target, stream),
    headers: headersFor(vendor, target.credential, { stream, betas }),
    body: JSON.stringify(request),
  }
}

/** Later versions reject sampling parameters, so the version is pinned to the one that accepts them all. */
const apiVersion = '2023-06-01'

/** Credentials of a signed-in account instead of keys: they are sent as bearer tokens, with their own beta. */
const tokenPrefix = 'sk-ant-oat'
const tokenBeta = 'oauth-2025-04-20'

function isModelInPath({ messagesPath }: AnthropicVendor): boolean {
  return messagesPath.includes('{model}')
}

function locate(vendor: AnthropicVendor, target: Target, stream: boolean): { origin: string; path: string } {
  const { origin, prefix, search } = addressOf(target)
  const path = vendor.messagesPath
    .replace('{model}', () => encodeURIComponent(target.upstreamModel))
    .replace('{action}', stream ? 'streamRawPredict' : 'rawPredict')
  return { origin, path: prefix + path + search }
}

/** The betas from the client's headers, if they are valid in a header. */
function betasOf({ extras }: CanonicalCall): string[] {
  const { betas } = extras
  if (!Array.isArray(betas)) return []
  return betas.filter((beta) => typeof beta === 'string').filter((beta) => /^[\w.-]+$/.test(beta))
}

function headersFor(
  vendor: AnthropicVendor,
  credential: string | null,
  { stream, betas }: { stream: boolean; betas: readonly string[] },
): Record<string, string> {
  const isToken = credential?.startsWith(tokenPrefix) ?? false
  const named = isToken ? [...new Set([tokenBeta, ...betas])] : betas
  return {
    ...jsonHeaders(stream),
    ...(vendor.bodyVersion === undefined ? versionHeaders(named) : {}),
    ...credentialHeaders(isToken ? { kind: 'bearer' } : vendor.authentication, credential),
  }
}

export function versionHeaders(betas: readonly string[]): Record<string, string> {
  return {
    'anthropic-version': apiVersion,
    ...(betas.length === 0 ? {} : { 'anthropic-beta': betas.join(',') }),
  }
}
