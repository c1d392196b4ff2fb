import { openAiHost } from '#providers/protocols/openai/openai-host.ts'
import type { AnthropicVendor, GeminiVendor, VendorSpec } from '#providers/spec.ts'
import { geminiEmbeddings } from './embeddings/gemini-embeddings.ts'
import { vertexEmbeddings } from './embeddings/vertex-embeddings.ts'
import { geminiImages } from './images/images.ts'
import { geminiSpeech } from './speech.ts'
import { geminiOmni } from './videos/gemini-omni.ts'
import { vertexVeo } from './videos/vertex-veo.ts'

export const googleAiStudio: GeminiVendor = {
  slug: 'google-ai-studio',
  name: 'Google AI Studio',
  protocol: 'gemini',
  baseUrl: 'https://generativelanguage.googleapis.com/v1',
  modelPath: '/models/{model}',
  authentication: { kind: 'header', name: 'x-goog-api-key' },
  media: { image: geminiImages, embedding: geminiEmbeddings, speech: geminiSpeech, video: geminiOmni },
}

/**
 * Common to everything that Vertex hosts. The operator sets the base URL, including
 * `/projects/{project}/locations/{location}`.
 */
const vertex = {
  slug: 'google-vertex',
  name: 'Google Vertex AI',
  baseUrl: null,
  authentication: { kind: 'google' },
} as const satisfies Partial<VendorSpec>

/** Claude, in its own protocol, with the model in the path. */
const vertexClaude: AnthropicVendor = {
  ...vertex,
  protocol: 'anthropic',
  messagesPath: '/publishers/anthropic/models/{model}:{action}',
  bodyVersion: 'vertex-2023-10-16',
}

/** Open models that Vertex runs itself: their names begin with the maker, such as `deepseek-ai/deepseek-v3.2-maas`. */
const vertexOpen: VendorSpec = { ...openAiHost(vertex), chatPath: '/endpoints/openapi/chat/completions' }

export const googleVertex: GeminiVendor = {
  ...vertex,
  protocol: 'gemini',
  modelPath: '/publishers/google/models/{model}',
  mediaPath: '/publishers/google',
  media: { image: geminiImages, embedding: vertexEmbeddings, speech: geminiSpeech, video: vertexVeo },
  hostOf: (upstreamModel) => {
    if (upstreamModel.startsWith('claude-')) return vertexClaude
    return upstreamModel.includes('/') ? vertexOpen : undefined
  },
}
