import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Config } from '#config/config-schema.ts'
import type { DocsSite } from '#http/docs/docs-routes.ts'
import { programFiles } from './program-files.ts'

/** The documentation site, or null if it is disabled or was not built. */
export function findDocsSite({ enabled, folder }: Config['docs']): DocsSite | null {
  if (!enabled) return null
  const path = resolve(folder ?? programFiles.docsFolder)
  if (!existsSync(join(path, 'index.html'))) return null
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' })
  const pages = files.filter((file) => file.endsWith('.html')).map((file) => `/${file.slice(0, -'.html'.length)}`)
  return { folder: path, pages: new Set(pages) }
}
