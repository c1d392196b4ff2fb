import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../lib/repository-root.ts'
import { must } from './must.ts'

/** Writes what the build consists of, in CycloneDX's format, from the lock file. Answers its path. */
export async function writeBillOfMaterials(folder: string): Promise<string> {
  const options = ['--package-lock-only', '--omit=dev', '--omit=optional', '--loglevel=silent']
  const printed = await must(['npm', 'sbom', '--sbom-format=cyclonedx', ...options], repositoryRoot)
  const { components } = JSON.parse(printed)
  if (!Array.isArray(components) || components.length < 100) throw new Error('The bill of materials lacks packages.')
  const path = join(folder, 'weir.cdx.json')
  writeFileSync(path, printed)
  return path
}
