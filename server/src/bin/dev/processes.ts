import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { programFiles } from '../program-files.ts'

const names = ['gateway', 'worker'] as const

interface ProcessesDeps {
  readonly environment: NodeJS.ProcessEnv
  /** A process ended that was ready and that `stop` did not end. */
  onEnded(name: string): void
}

export interface Processes {
  /** Null when all are ready, else the name of the one that ended before it was. */
  start(): Promise<string | null>
  stop(): Promise<void>
  /** Whether the command ended well. */
  run(command: string): Promise<boolean>
}

/** The gateway and the worker as processes of their own. They print where this one does. */
export function createProcesses({ environment, onEnded }: ProcessesDeps): Processes {
  const running = new Set<ChildProcess>()
  const stopped = new WeakSet<ChildProcess>()

  function launch(command: string): ChildProcess {
    return spawn(process.execPath, [programFiles.weir, command], {
      env: environment,
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    })
  }

  async function startOne(name: string): Promise<boolean> {
    const child = launch(name)
    running.add(child)
    let isReady = false
    const ended = once(child, 'exit').then(() => {
      running.delete(child)
      if (isReady && !stopped.has(child)) onEnded(name)
    })
    const ready = once(child, 'message').then(() => {
      isReady = true
    })
    await Promise.race([ready, ended])
    return isReady
  }

  async function stopOne(child: ChildProcess): Promise<void> {
    stopped.add(child)
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }

  return {
    // One after another, so that an error in a file that both import is printed once.
    start: async () => {
      for (const name of names) if (!(await startOne(name))) return name
      return null
    },
    // More than once, because a start that was under way may have launched another one meanwhile.
    stop: async () => {
      while (running.size > 0) await Promise.all([...running].map(stopOne))
    },
    run: async (command) => {
      const [code] = await once(launch(command), 'exit')
      return code === 0
    },
  }
}
