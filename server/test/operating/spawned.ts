import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/** A process that a test started, with its output. */
export interface Spawned {
  readonly process: ChildProcess
  readonly lines: readonly string[]
  /** Its output on standard error. */
  readonly errorLines: readonly string[]
  /** The first matching line, past or future; fails if the process ends without one. */
  waitForLine(pattern: RegExp): Promise<RegExpExecArray>
  readonly exited: Promise<number | null>
  /** Kills the process and its descendants. */
  kill(): void
}

interface SpawnedOptions {
  cwd: string
  env: Readonly<Record<string, string>>
  input?: string
}

/** Starts a command as the leader of its own process group, so that no descendant outlives the test. */
export function spawnCommand(command: readonly string[], options: SpawnedOptions): Spawned {
  const [file = '', ...args] = command
  const env = {
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
    // A test sends too few requests to gain from it.
    WEIR_WARM_UP_TIMEOUT_MS: '0',
    ...options.env,
  }
  const child = spawn(file, args, { cwd: options.cwd, env, detached: true })
  const lines: string[] = []
  const waiting = new Set<() => void>()
  let hasEnded = false
  const note = (line: string): void => {
    lines.push(line)
    for (const look of waiting) look()
  }
  createInterface({ input: child.stdout }).on('line', note)
  const errorLines: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => {
    errorLines.push(line)
    note(line)
  })
  // It may exit before it has read anything.
  child.stdin.on('error', () => {})
  child.stdin.end(options.input ?? '')
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      hasEnded = true
      for (const look of waiting) look()
      resolve(code)
    })
  })
  return {
    process: child,
    lines,
    errorLines,
    exited,
    waitForLine: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = lines.map((line) => pattern.exec(line)).find((match) => match !== null)
          if (found !== undefined) resolve(found)
          else if (hasEnded) reject(new Error(`ended without ${pattern}:\n${lines.join('\n')}`))
          else return
          waiting.delete(look)
        }
        waiting.add(look)
        look()
      }),
    kill: () => {
      if (hasEnded || child.pid === undefined) return
      process.kill(-child.pid, 'SIGKILL')
    },
  }
}
