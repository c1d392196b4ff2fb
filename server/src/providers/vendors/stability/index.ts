import type { MediaVendor } from '#providers/spec.ts'
import { stableImages } from './images.ts'

/** Multipart forms in, base64 in JSON out. */
export const stability: MediaVendor = {
  slug: 'stability',
  name: 'Stability AI',
  protocol: 'none',
  baseUrl: 'https://api.stability.ai/v2beta',
  authentication: { kind: 'bearer' },
  media: { image: stableImages },
}
