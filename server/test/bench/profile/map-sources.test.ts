import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { mapSources } from './map-sources.ts'

const folder = mkdtempSync(join(tmpdir(), 'weir-map-sources-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('names the source file of a function in a build, and keeps the names of others', () => {
  const module = join(folder, 'weir.js')
  const sources = ['server/src/http/server.ts', 'server/src/pipeline/run.ts']
  // The first line of the module comes from the first source, the second line from the second.
  const map = { version: 3, sources, names: [], mappings: 'AAAA;ACAA' }
  writeFileSync(`${module}.map`, JSON.stringify(map))
  const urls = [pathToFileURL(module).href, pathToFileURL(module).href, 'file:///elsewhere.js', 'node:net', '']
  const nodes = urls.map((url, id) => ({
    id,
    callFrame: { functionName: 'f', url, lineNumber: id % 2, columnNumber: 0 },
  }))
  const mapped = mapSources({ nodes, samples: [], timeDeltas: [] })
  expect(mapped.nodes.map(({ callFrame }) => callFrame.url)).toEqual([
    '/server/src/http/server.ts',
    '/server/src/pipeline/run.ts',
    'file:///elsewhere.js',
    'node:net',
    '',
  ])
})
