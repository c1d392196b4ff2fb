import type { MediaVendor } from '#providers/spec.ts'
import { lumaVideos } from './videos.ts'

export const luma: MediaVendor = {
  slug: 'luma',
  name: 'Luma AI',
  protocol: 'none',
  baseUrl: 'https://agents.lumalabs.ai/v1',
  authentication: { kind: 'bearer' },
  media: { video: lumaVideos },
}
