import type { MediaVendor } from '#providers/spec.ts'
import { replicateImages } from './images.ts'
import { replicateVideos } from './videos.ts'

/** Models by `owner/name`, or `owner/name:version` if their makers keep none of them running. */
export const replicate: MediaVendor = {
  slug: 'replicate',
  name: 'Replicate',
  protocol: 'none',
  baseUrl: 'https://api.replicate.com/v1',
  authentication: { kind: 'bearer' },
  media: { image: replicateImages, video: replicateVideos },
}
