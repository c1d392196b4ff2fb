import type { MediaVendor } from '#providers/spec.ts'
import { runwayVideos } from './videos.ts'

export const runway: MediaVendor = {
  slug: 'runway',
  name: 'Runway',
  protocol: 'none',
  baseUrl: 'https://api.dev.runwayml.com',
  authentication: { kind: 'bearer' },
  media: { video: runwayVideos },
}
