import type { MediaTarget } from '#providers/codecs/target.ts'

/**
 * The native surface beside the compatible one, whose address is the vendor's; an operator may give either, or their
 * root.
 */
export function nativeTarget(target: MediaTarget): MediaTarget {
  const root = target.baseUrl.replace(/\/+$/, '').replace(/\/(?:compatible-mode|api)\/v1$/, '')
  return { ...target, baseUrl: `${root}/api/v1` }
}
