import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { must } from '../lib/must.ts'

/** Creates the npm tarball of a build. Returns its path. */
export async function packInto(folder: string, build: string): Promise<string> {
  mkdirSync(folder, { recursive: true })
  await must(['npm', 'pack', '--pack-destination', folder], build)
  const { name, version } = JSON.parse(readFileSync(join(build, 'package.json'), 'utf8'))
  return join(folder, `${name}-${version}.tgz`)
}
