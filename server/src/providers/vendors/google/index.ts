import type { GeminiVendor } from '#providers/spec.ts'
import { geminiEmbeddings } from './embeddings.ts'
import { geminiImages } from './images/images.ts'
import { geminiVeo } from './videos/gemini-veo.ts'

export const googleAiStudio: GeminiVendor = {
  slug: 'google-ai-studio',
  name: 'Google AI Studio',
  protocol: 'gemini',
  baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
  modelPath: '/models/{model}',
  authentication: { kind: 'header', name: 'x-goog-api-key' },
  media: { image: geminiImages, embedding: geminiEmbeddings, video: geminiVeo },
}

/** The operator gives the base URL, because project and region are in it: everything up to `/publishers/google`. */
export const googleVertex: GeminiVendor = {
  slug: 'google-vertex',
  name: 'Google Vertex AI',
  protocol: 'gemini',
  baseUrl: null,
  modelPath: '/models/{model}',
  authentication: { kind: 'bearer' },
  media: { image: geminiImages },
}
