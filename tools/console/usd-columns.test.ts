import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { repositoryRoot } from '../lib/repository-root.ts'

/** The headers of columns that export bare amounts in USD, in a source of the console. */
function usdHeaders(source: string): string[] {
  const columns = source.matchAll(/header: '([^']*)',(.*?)(?=header: |\n\]|$)/gs)
  return [...columns].flatMap(([, header = '', rest = '']) =>
    /csv:[^\n]*\b(?:exactUsd|usd)\(/.test(rest) ? [header] : [],
  )
}

it('finds columns that export amounts in USD', () => {
  const source = `[
  { id: 'a', header: 'Amount', cell: shown, csv: ({ a }) => exactUsd(toNano(a)) },
  { id: 'b', header: 'Name', cell: ({ b }) => usd(b), csv: ({ b }) => b },
]`
  expect(usdHeaders(source)).toEqual(['Amount'])
})

it('a column of amounts in USD says so in its header, because a file has no other place for the unit', () => {
  const folder = join(repositoryRoot, 'console/src')
  const headers = globSync('**/*.tsx', { cwd: folder }).flatMap((path) =>
    usdHeaders(readFileSync(join(folder, path), 'utf8')).map((header) => `${path}: ${header}`),
  )
  expect(headers.length).toBeGreaterThan(15)
  expect(headers.filter((header) => !header.endsWith(' (USD)'))).toEqual([])
})
