import type { MediaVendor } from '#providers/spec.ts'
import { falImages } from './images.ts'
import { falVideos } from './videos.ts'

/** fal's queue, which waits for a runner, while the direct endpoint rejects the request. */
export const fal: MediaVendor = {
  slug: 'fal',
  name: 'fal',
  protocol: 'none',
  baseUrl: 'https://queue.fal.run',
  authentication: { kind: 'header', name: 'authorization', scheme: 'Key' },
  media: { image: falImages, video: falVideos },
}
