import type { MediaTarget } from '#providers/codecs/target.ts'

/**
 * The native API beside the compatible one, whose base URL is the vendor's. An operator may set either, or their root.
 */
export function nativeTarget(target: MediaTarget): MediaTarget {
  const root = target.baseUrl.replace(/\/+$/, '').replace(/\/(?:compatible-mode|api)\/v1$/, '')
  return { ...target, baseUrl: `${root}/api/v1` }
}
