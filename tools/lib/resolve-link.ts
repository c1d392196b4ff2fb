import { posix } from 'node:path'

/** The target of a document's link: a path in the repository with a heading, or null for links that must not change. */
export function resolveLink(target: string, document: string): { file: string; hash: string } | null {
  if (/^(?:[a-z][a-z0-9+.-]*:|#|\/\/)/i.test(target)) return null
  const hash = /#.*$/.exec(target)?.[0] ?? ''
  const place = decodeURI(target.replace(/[#?].*$/, ''))
  const path = place.startsWith('/') ? place.slice(1) : posix.join(posix.dirname(document), place)
  return { file: posix.normalize(path).replace(/\/$/, ''), hash }
}
