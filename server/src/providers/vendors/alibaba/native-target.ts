import type { MediaTarget } from '#providers/codecs/target.ts'

/**
 * The target with the base URL of the native API. The vendor's base URL is that of the compatible API; an operator may
 * set either, or their root.
 */
export function nativeTarget(target: MediaTarget): MediaTarget {
  const root = target.baseUrl.replace(/\/+$/, '').replace(/\/(?:compatible-mode|api)\/v1$/, '')
  return { ...target, baseUrl: `${root}/api/v1` }
}
