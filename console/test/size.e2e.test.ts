import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const folder = join(import.meta.dirname, '../dist')
const firstLoadMax = 130 * 1024
const pageMax = 70 * 1024

interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
  readonly dynamicImports?: readonly string[]
  readonly isEntry?: boolean
}

const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>
const entry = Object.entries(manifest).find(([, { isEntry }]) => isEntry === true)?.[0] ?? ''
const first = filesOf(entry)

it('loads at most 130 KB of compressed JavaScript before the first page', () => {
  expect(sizeOf(first)).toBeLessThanOrEqual(firstLoadMax)
})

const pages = Object.keys(manifest).filter((name) => /^src\/pages\/.*-page\.tsx$/.test(name))
// The shell loads these after the first paint, so they are present before any page.
const shell = new Set(
  ['src/app/shell.tsx', 'src/app/workspace-switch.tsx', 'src/app/person-menu.tsx'].flatMap((name) => [
    ...filesOf(name),
  ]),
)

it('knows the pages', () => {
  expect(pages.length).toBeGreaterThan(3)
})

it.each(pages)('loads at most 70 KB more for %s', (name) => {
  const more = [...filesOf(name)].filter((file) => !first.has(file) && !shell.has(file))
  expect(sizeOf(more)).toBeLessThanOrEqual(pageMax)
})

it('loads at most 70 KB more for the shell around the pages', () => {
  expect(sizeOf([...shell].filter((file) => !first.has(file)))).toBeLessThanOrEqual(pageMax)
})

/** Returns a chunk and all its static imports. */
function filesOf(name: string, found = new Set<string>()): Set<string> {
  const chunk = manifest[name]
  if (chunk === undefined || found.has(chunk.file)) return found
  found.add(chunk.file)
  for (const other of chunk.imports ?? []) filesOf(other, found)
  return found
}

function sizeOf(files: Iterable<string>): number {
  return [...files]
    .filter((file) => file.endsWith('.js'))
    .reduce((sum, file) => sum + readFileSync(join(folder, `${file}.gz`)).length, 0)
}
