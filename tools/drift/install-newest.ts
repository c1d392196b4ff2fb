import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseJsonObject, stringAt } from '../../server/src/lib/json.ts'
import { sdkVersions } from '../../server/test/twins/sdk-versions.ts'
import { runCommand } from '../lib/run-command.ts'

/** Installs the newest version of every twin's SDK in a temporary folder. The pinned versions stay. */
export async function installNewest(): Promise<NewestSdks> {
  const pinned = sdkVersions()
  const folder = mkdtempSync(join(tmpdir(), 'weir-drift-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  const dependencies = Object.fromEntries(Object.keys(pinned).map((name) => [name, 'latest']))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }))
  const args = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error']
  const { code, output } = await runCommand(['npm', 'install', ...args], { cwd: folder })
  if (code !== 0) {
    remove()
    throw new Error(`the newest SDKs could not be installed: ${output}`)
  }
  const installed = Object.entries(pinned).map(([name, before]) => ({ name, before, now: versionOf(folder, name) }))
  const moved = installed.filter(({ before, now }) => before !== now)
  return { folder, moved: moved.map(({ name, before, now }) => `${name}: ${before} → ${now}`), remove }
}

interface NewestSdks {
  readonly folder: string
  /** One line per SDK whose newest version is not the pinned one. */
  readonly moved: readonly string[]
  remove(): void
}

function versionOf(folder: string, name: string): string {
  const manifest = parseJsonObject(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')) ?? {}
  return stringAt(manifest, 'version') ?? ''
}
