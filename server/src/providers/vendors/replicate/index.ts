import type { MediaVendor } from '#providers/spec.ts'
import { replicateImages } from './images.ts'
import { replicateVideos } from './videos.ts'

/** Models by `owner/name`, or by `owner/name:version` if the maker keeps no version running. */
export const replicate: MediaVendor = {
  slug: 'replicate',
  name: 'Replicate',
  protocol: 'none',
  baseUrl: 'https://api.replicate.com/v1',
  authentication: { kind: 'bearer' },
  media: { image: replicateImages, video: replicateVideos },
}
