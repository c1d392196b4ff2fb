import type { MediaVendor } from '#providers/spec.ts'
import { klingVideos } from './videos.ts'

export const kling: MediaVendor = {
  slug: 'kling',
  name: 'Kling AI',
  protocol: 'none',
  baseUrl: 'https://api-singapore.klingai.com',
  authentication: { kind: 'key-pair' },
  media: { video: klingVideos },
}
