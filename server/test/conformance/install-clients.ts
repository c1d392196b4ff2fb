import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { clientsFolder } from './client-programs.ts'

/** Installs the clients as their lock file says, unless that has been done; they are no dependencies of the product. */
export async function installClients(): Promise<void> {
  const lock = readFileSync(join(clientsFolder, 'package-lock.json'), 'utf8')
  const marker = join(clientsFolder, 'node_modules', '.installed')
  if (existsSync(marker) && readFileSync(marker, 'utf8') === lock) return
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const child = spawn('npm', args, { cwd: clientsFolder, stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error('the clients could not be installed')
  writeFileSync(marker, lock)
}
