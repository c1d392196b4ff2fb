import type { MediaVendor } from '#providers/spec.ts'
import { fluxImages } from './images.ts'

/** Tasks are submitted under the name of their model and polled at the URL that the vendor returns. */
export const blackForestLabs: MediaVendor = {
  slug: 'black-forest-labs',
  name: 'Black Forest Labs',
  protocol: 'none',
  baseUrl: 'https://api.bfl.ai/v1',
  authentication: { kind: 'header', name: 'x-key' },
  media: { image: fluxImages },
}
