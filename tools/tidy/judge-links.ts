import { posix } from 'node:path'
import type { Finding } from '../lib/finding.ts'
import type { SourceFile } from '../lib/source-file.ts'

/** `[text](target "title")` and `[name]: target`, images included. */
const linkPattern = /\]\(\s*<?([^\s)>]+)>?[^)]*\)|^\s*\[[^\]]+\]:\s*<?([^\s>]+)/g

/** A relative link in the documents leads to a file or folder of the repository. */
export function judgeLinks(files: readonly SourceFile[]): Finding[] {
  const places = new Set(files.flatMap(({ path }) => [path, ...foldersOf(path)]))
  return files
    .filter(({ path }) => /^(docs\/.*|[^/]+)\.md$/.test(path))
    .flatMap(({ path, text }) =>
      withoutCode(text).flatMap((content, index) =>
        [...content.matchAll(linkPattern)]
          .map((match) => match[1] ?? match[2] ?? '')
          .filter((target) => isRelative(target) && !places.has(placeOf(target, path)))
          .map((target) => ({ rule: 'dead-link', path, line: index + 1, message: `${target} leads nowhere` })),
      ),
    )
}

const isRelative = (target: string) => !/^(?:[a-z][a-z0-9+.-]*:|#|\/\/)/i.test(target)

/** A target with a leading slash starts at the repository's root, as code hosts read it. */
function placeOf(target: string, document: string): string {
  const place = decodeURI(target.replace(/[#?].*$/, ''))
  const path = place.startsWith('/') ? place.slice(1) : posix.join(posix.dirname(document), place)
  return posix.normalize(path).replace(/\/$/, '')
}

/** Every folder a path stands in, the root (`.`) included. */
function foldersOf(path: string): string[] {
  const names = path.split('/').slice(0, -1)
  return ['.', ...names.map((_, depth) => names.slice(0, depth + 1).join('/'))]
}

/** The lines of a document, with fenced blocks and inline code emptied so that line numbers stay. */
function withoutCode(text: string): string[] {
  let inFence = false
  return text.split('\n').map((line) => {
    const isFence = /^\s*(```|~~~)/.test(line)
    if (isFence) inFence = !inFence
    return isFence || inFence ? '' : line.replace(/`[^`]*`/g, '')
  })
}
