import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** Starts processes that keep one core busy each, as other programs on a busy machine would. */
export function startBurners(count: number): Burners {
  const program = join(import.meta.dirname, 'burner.ts')
  const children = Array.from({ length: count }, () =>
    spawn(process.execPath, [program], { stdio: ['pipe', 'ignore', 'inherit'] }),
  )
  return {
    processes: children,
    async stop() {
      const ended = children.filter(isRunning).map((child) => once(child, 'exit'))
      for (const child of children) child.kill('SIGKILL')
      await Promise.all(ended)
    },
  }
}

interface Burners {
  readonly processes: readonly ChildProcess[]
  stop(): Promise<void>
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null
}
