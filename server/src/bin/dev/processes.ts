import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { programFiles } from '../program-files.ts'

const names = ['gateway', 'worker'] as const

interface ProcessesDeps {
  readonly environment: NodeJS.ProcessEnv
  /** Called when a process exits after it was ready, unless `stop` ended it. */
  onEnded(name: string): void
}

export interface Processes {
  /** Resolves with null when all are ready, otherwise with the name of the process that exited first. */
  start(): Promise<string | null>
  stop(): Promise<void>
  /** Whether the command succeeded. */
  run(command: string): Promise<boolean>
}

/** The gateway and the worker as child processes. They share the output of this process. */
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
    // Starts them one after another, so that an error in a shared file is printed once.
    start: async () => {
      for (const name of names) if (!(await startOne(name))) return name
      return null
    },
    // Repeats, because a start in progress may have launched another process.
    stop: async () => {
      while (running.size > 0) await Promise.all([...running].map(stopOne))
    },
    run: async (command) => {
      const [code] = await once(launch(command), 'exit')
      return code === 0
    },
  }
}
