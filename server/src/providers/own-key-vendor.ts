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
import { credentialHeaders, requestHeaders } from './request-headers.ts'
import type { AnthropicVendor, OpenAiVendor, VendorSpec } from './spec.ts'

type Spoken = 'openai' | 'anthropic'

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

/** The vendor of an organization's own key: the known vendor at that base URL with its quirks, or an unknown one. */
export function ownKeyVendor(protocol: Spoken, baseUrl: string): VendorSpec {
  return knownHosts.get(`${protocol} ${new URL(baseUrl).host}`) ?? unknownHosts[protocol]
}

/** Every vendor that can serve a request, including those of own keys and test models. */
export function findAnyVendor(slug: string): VendorSpec | undefined {
  if (slug === playedVendor.slug) return playedVendor
  return findVendor(slug) ?? Object.values(unknownHosts).find((vendor) => vendor.slug === slug)
}

/**
 * Clients of Anthropic's protocol write its base URL without the version, others with it. The version is added here.
 */
export function ownKeyBaseUrl(protocol: Spoken, baseUrl: string): string {
  const plain = baseUrl.replace(/\/+$/, '')
  return protocol === 'anthropic' ? plain.replace(/\/v1$/, '') : plain
}

/** The request for the models that a key can call. */
export function modelsRequest(key: { protocol: Spoken; baseUrl: string; apiKey: string }): {
  origin: string
  path: string
  headers: Record<string, string>
} {
  const { protocol, apiKey } = key
  const { origin, pathname } = new URL(ownKeyBaseUrl(protocol, key.baseUrl))
  const prefix = pathname.replace(/\/+$/, '')
  const headers = {
    ...requestHeaders({ accept: 'application/json' }),
    ...credentialHeaders(ownKeyVendor(protocol, key.baseUrl).authentication, apiKey),
  }
  return protocol === 'anthropic'
    ? { origin, path: `${prefix}/v1/models?limit=1000`, headers: { ...headers, ...versionHeaders([]) } }
    : { origin, path: `${prefix}/models`, headers }
}
