import type { OwnKeyProtocol, OwnKeyWay } from '#domain/routing/own-keys.ts'
import { anthropic } from './vendors/anthropic/index.ts'
import { openAiAudio } from './codecs/openai/audio.ts'
import { plainImages } from './codecs/openai/plain-images.ts'
import { openAiEmbeddings } from './codecs/openai/embeddings.ts'
import { playedVendor } from './played-vendor.ts'
import { rerankWith } from './codecs/rerank/rerank-with.ts'
import { openAiHost } from './protocols/openai/openai-host.ts'
import { openAiOutputCap } from './protocols/openai/request/output-cap.ts'
import { versionHeaders } from './protocols/anthropic/build-request.ts'
import { findVendor, vendors } from './registry.ts'
import { isLate } from './authentication.ts'
import { credentialHeaders, requestHeaders } from './request-headers.ts'
import type { AnthropicVendor, OpenAiVendor, VendorSpec } from './spec.ts'

type Spoken = OwnKeyProtocol

/** Upstreams that the registry does not know: they are assumed to follow their protocol exactly. */
const unknownHosts: Readonly<Record<Spoken, OpenAiVendor | AnthropicVendor>> = {
  openai: openAiHost({
    slug: 'byok-openai',
    name: 'BYOK key (OpenAI protocol)',
    baseUrl: null,
    // The upstream may be OpenAI behind another URL, whose reasoning models reject `max_tokens`.
    quirks: { outputCapFor: openAiOutputCap },
    media: {
      image: plainImages,
      embedding: openAiEmbeddings({ tokens: true, takesUser: true }),
      rerank: rerankWith(),
      ...openAiAudio,
    },
  }),
  anthropic: { ...anthropic, slug: 'byok-anthropic', name: 'BYOK key (Anthropic protocol)', baseUrl: null },
}

const knownHosts: ReadonlyMap<string, VendorSpec> = new Map(
  Object.values(vendors).flatMap((vendor) =>
    vendor.baseUrl === null ? [] : [[`${vendor.protocol} ${new URL(vendor.baseUrl).host}`, vendor]],
  ),
)

/**
 * The vendor of an organization's own key: the one that it names, the known one at its base URL with its quirks, or an
 * unknown one.
 */
export function ownKeyVendor(way: OwnKeyWay, baseUrl: string): VendorSpec {
  if (way.kind === 'protocol') {
    return knownHosts.get(`${way.protocol} ${new URL(baseUrl).host}`) ?? unknownHosts[way.protocol]
  }
  const vendor = findVendor(way.provider)
  if (vendor === undefined) throw new Error(`this gateway has no provider ${way.provider}`)
  return vendor
}

/** Every vendor that can serve a request, including those of own keys and test models. */
export function findAnyVendor(slug: string): VendorSpec | undefined {
  if (slug === playedVendor.slug) return playedVendor
  return findVendor(slug) ?? Object.values(unknownHosts).find((vendor) => vendor.slug === slug)
}

/**
 * Clients of Anthropic's protocol write its base URL without the version, others with it. The version is added here.
 */
export function ownKeyBaseUrl(way: OwnKeyWay, baseUrl: string): string {
  const plain = baseUrl.replace(/\/+$/, '')
  return way.kind === 'protocol' && way.protocol === 'anthropic' ? plain.replace(/\/v1$/, '') : plain
}

/** The request for the models that a key can call. */
export function modelsRequest(key: { way: OwnKeyWay; baseUrl: string; apiKey: string }): {
  origin: string
  path: string
  headers: Record<string, string>
} {
  const { way, apiKey } = key
  const vendor = ownKeyVendor(way, key.baseUrl)
  const { origin, pathname } = new URL(ownKeyBaseUrl(way, key.baseUrl))
  const prefix = pathname.replace(/\/+$/, '')
  const headers = {
    ...requestHeaders({ accept: 'application/json' }),
    ...credentialHeaders(vendor.authentication, apiKey),
  }
  return vendor.protocol === 'anthropic'
    ? { origin, path: `${prefix}/v1/models?limit=1000`, headers: { ...headers, ...versionHeaders([]) } }
    : { origin, path: `${prefix}/models`, headers }
}

/** Whether a provider lists the models of a key, in the form of its protocol. */
export function listsModels(vendor: VendorSpec): boolean {
  const isSpoken = vendor.protocol === 'openai' || vendor.protocol === 'anthropic'
  return isSpoken && vendor.modelList !== false && !isLate(vendor.authentication)
}
