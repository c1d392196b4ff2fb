import { posix } from 'node:path'
import { mapLinks } from '../lib/map-links.ts'
import { resolveLink } from '../lib/resolve-link.ts'
import type { SourceFile } from '../lib/source-file.ts'
import { contractPage } from './contract-page.ts'
import { addressOf, routeOf } from './route-of.ts'
import { folderPage, sourcePage } from './source-page.ts'

/** Pictures are copied unchanged. */
export const pictures = 'docs/pictures/'

/**
 * The pages of the site by route: the files that the map names, and everything in the repository that they link to. A
 * link that works in the repository leads to the same content here.
 */
export function stagePages(files: readonly SourceFile[], mapped: readonly string[]): ReadonlyMap<string, string> {
  const texts = new Map(files.map(({ path, text }) => [path, text]))
  const pages = new Map<string, string>()
  const waiting = [...mapped]
  for (const file of waiting) {
    const route = routeOf(file)
    if (pages.has(route)) continue
    const text = mapLinks(pageOf(file, texts), (target) => {
      const link = resolveLink(target, file)
      if (link === null) return target
      if (link.file.startsWith(pictures)) return `/${link.file.slice('docs/'.length)}`
      const place = documentAt(link.file, texts)
      waiting.push(place)
      return `${addressOf(routeOf(place))}${link.hash}`
    })
    pages.set(route, text)
  }
  return pages
}

/** A folder shows its README, as on code hosts. */
function documentAt(place: string, texts: ReadonlyMap<string, string>): string {
  const readme = posix.join(place, 'README.md')
  if (texts.has(readme)) return readme
  return texts.has(place) ? place : readme
}

function pageOf(file: string, texts: ReadonlyMap<string, string>): string {
  const text = texts.get(file)
  if (text === undefined) return folderPage(posix.dirname(file), documentsIn(posix.dirname(file), texts))
  if (file.endsWith('.tsv')) return contractPage(text)
  // The note about editing is not for readers of the site.
  const shown = text.replace(/^Generated from [^\n]*do not edit\.\n\n/m, '')
  return routeOf(file).startsWith('source/') ? sourcePage(file, text) : shown
}

function documentsIn(folder: string, texts: ReadonlyMap<string, string>): { file: string; text: string }[] {
  const documents = [...texts]
    .filter(([path]) => posix.dirname(path) === folder && path.endsWith('.md'))
    .map(([file, text]) => ({ file, text }))
  if (documents.length === 0) throw new Error(`${folder} is linked to, and is neither a file nor a folder of documents`)
  return documents
}
