import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Installs the packages of a folder with its own lock file, if needed. They are not dependencies of the product. */
export async function installLocked(folder: string): Promise<void> {
  const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8')
  const marker = join(folder, 'node_modules', '.installed')
  if (existsSync(marker) && readFileSync(marker, 'utf8') === lock) return
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const child = spawn('npm', args, { cwd: folder, stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`the packages of ${folder} could not be installed`)
  writeFileSync(marker, lock)
}
