import { geminiImages } from '../codecs/gemini/images.ts'
import type { GeminiVendor } from '../spec.ts'

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
