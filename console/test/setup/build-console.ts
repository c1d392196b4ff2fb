import { hash } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../../../tools/lib/repository-root.ts'
import { runCommand } from '../../../tools/lib/run-command.ts'

const folder = join(repositoryRoot, 'console')
/** Next to the build, where no URL reaches it. */
const stampPath = join(folder, 'dist', '.sources')

/** Builds the console unless a build of the same sources exists. Returns the exit code of the build. */
export async function buildConsole(): Promise<number> {
  const sources = hashSources()
  if (findStamp() === sources) return 0
  const { code } = await runCommand(['vite', 'build', '--logLevel', 'warn'], { cwd: folder, show: true })
  if (code === 0) writeFileSync(stampPath, sources)
  return code
}

function hashSources(): string {
  const paths = globSync(
    ['console/{src,public}/**/*.*', 'console/{index.html,package.json,vite.config.ts}', 'package-lock.json'],
    { cwd: repositoryRoot },
  )
  const parts = paths.toSorted().map((path) => `${path} ${hash('sha256', readFileSync(join(repositoryRoot, path)))}`)
  return hash('sha256', parts.join('\n'))
}

function findStamp(): string | null {
  try {
    return readFileSync(stampPath, 'utf8')
  } catch {
    // There is no build yet, or another tool wrote it.
    return null
  }
}
