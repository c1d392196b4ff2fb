import type { MediaTarget } from '#providers/codecs/target.ts'

/** Videos are below the version of their own API, conversations always below the first. */
export function minimaxVideoTarget(target: MediaTarget, version: 'v1' | 'v2'): MediaTarget {
  const root = target.baseUrl.replace(/\/+$/, '').replace(/\/v\d+$/, '')
  return { ...target, baseUrl: `${root}/${version}` }
}
