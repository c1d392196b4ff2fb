import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { installLocked } from '../../../tools/lib/install-locked.ts'
import { sdkVersions } from './sdk-versions.ts'
import { sdksFolder } from './sdks-folder.ts'

/** Updates every SDK to its newest version, and returns lines about the updated ones. */
export async function updateSdks(): Promise<string[]> {
  const before = sdkVersions()
  const newest = Object.keys(before).map((name) => `${name}@latest`)
  const args = [
    'install',
    '--save-exact',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--omit-lockfile-registry-resolved',
  ]
  execFileSync('npm', [...args, ...newest], { cwd: sdksFolder, stdio: 'inherit' })
  await installLocked(sdksFolder)
  writeFileSync(join(import.meta.dirname, 'verified.json'), `{ "date": "${new Date().toISOString().slice(0, 10)}" }\n`)
  const moved = Object.entries(sdkVersions()).filter(([name, version]) => before[name] !== version)
  return moved.map(([name, version]) => `${name}: ${before[name] ?? 'new'} → ${version}`)
}
