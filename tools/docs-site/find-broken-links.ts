import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Links of a built site that lead to a missing page, file or heading, as `page: link`. Links to other hosts are not
 * checked.
 */
export function findBrokenLinks(folder: string, base: string): string[] {
  const files = new Set(readdirSync(folder, { recursive: true, encoding: 'utf8' }))
  const pages = [...files].filter((file) => file.endsWith('.html'))
  const texts = new Map(pages.map((page) => [page, readFileSync(join(folder, page), 'utf8')]))
  const headings = new Map([...texts].map(([page, html]) => [page, idsIn(html)]))
  return pages.flatMap((page) => {
    const address = `${base}${page.replace(/(?:index)?\.html$/, '')}`
    return linksIn(texts.get(page) ?? '').flatMap((link) => {
      const url = new URL(link, `http://site${address}`)
      if (url.host !== 'site') return []
      const isFound = url.pathname.startsWith(base) && leads(url, { base, files, headings })
      return isFound ? [] : [`${page}: ${link}`]
    })
  })
}

type Site = {
  readonly base: string
  readonly files: ReadonlySet<string>
  readonly headings: ReadonlyMap<string, ReadonlySet<string>>
}

function leads({ pathname, hash }: URL, { base, files, headings }: Site): boolean {
  const path = decodeURIComponent(pathname.slice(base.length))
  const file = [path, `${path}.html`, `${path}index.html`].find((name) => files.has(name) && name !== '')
  if (file === undefined) return false
  return hash === '' || headings.get(file)?.has(decodeURIComponent(hash.slice(1))) === true
}

function linksIn(html: string): string[] {
  return [...html.matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, link = '']) => link.replaceAll('&amp;', '&'))
}

function idsIn(html: string): ReadonlySet<string> {
  return new Set([...html.matchAll(/\sid="([^"]*)"/g)].map(([, id = '']) => id.replaceAll('&amp;', '&')))
}
