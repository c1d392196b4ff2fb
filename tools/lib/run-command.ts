import { spawn } from 'node:child_process'
import { delimiter, dirname, join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { repositoryRoot } from './repository-root.ts'

/** Runs a command to its end and captures its output, or lets it print to our terminal. */
export async function runCommand(command: readonly string[], options: CommandOptions): Promise<CommandResult> {
  const [file = '', ...args] = command
  const startedMs = performance.now()
  const child = spawn(file, args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env, PATH: toolPath() },
    stdio: options.show === true ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    // A separate process group, so that everything it started ends with it.
    detached: options.endsAfterMs !== undefined,
  })
  const timer =
    options.endsAfterMs === undefined ? undefined : setTimeout(() => endGroup(child.pid), options.endsAfterMs)
  const chunks: Buffer[] = []
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk))
  const code = await new Promise<number>((resolve) => {
    child.once('error', (error) => {
      chunks.push(Buffer.from(`${error.message}\n`))
      resolve(127)
    })
    // A command that a signal ended has no exit code and counts as failed.
    child.once('close', (exitCode) => resolve(exitCode ?? 1))
  })
  clearTimeout(timer)
  return { code, output: Buffer.concat(chunks).toString('utf8'), elapsedMs: performance.now() - startedMs }
}

type CommandOptions = {
  readonly cwd: string
  readonly show?: boolean
  /** A command that takes longer is killed and counts as failed. */
  readonly endsAfterMs?: number
  /** Added to our own environment. */
  readonly env?: Readonly<Record<string, string>>
}
type CommandResult = { readonly code: number; readonly output: string; readonly elapsedMs: number }

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // The process had already ended.
  }
}

/** Our own Node and the repository's tools take precedence over those of the machine. */
function toolPath(): string {
  const binaries = join(repositoryRoot, 'node_modules', '.bin')
  return [dirname(process.execPath), binaries, process.env.PATH ?? ''].join(delimiter)
}
