import { geminiImages } from '../codecs/gemini/images.ts'
import { geminiVeo } from '../codecs/veo/gemini-veo.ts'
import type { GeminiVendor } from '../spec.ts'
import { geminiEmbeddings } from './embeddings.ts'

export const googleAiStudio: GeminiVendor = {
  slug: 'google-ai-studio',
  name: 'Google AI Studio',
  protocol: 'gemini',
  baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
  modelPath: '/models/{model}',
  authentication: { kind: 'header', name: 'x-goog-api-key' },
  media: { image: geminiImages, embedding: geminiEmbeddings, video: geminiVeo },
}
