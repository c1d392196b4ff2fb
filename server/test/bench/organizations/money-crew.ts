import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { contenderCore } from '../settings.ts'
import type { MoneyMessage, MoneyOrder, MoneyReport } from './money-load.ts'

export interface MoneyCrew {
  /** Sends all processes the same order, and waits for the last of them. */
  carryOut(order: MoneyOrder): Promise<MoneyReport[]>
  stop(): Promise<void>
}

const main = fileURLToPath(new URL('money-process.ts', import.meta.url))

/** Starts processes with their own pool and queues, all on the core of the contenders. */
export async function startCrew(size: number, env: Record<string, string>): Promise<MoneyCrew> {
  const crew = Array.from({ length: size }, () => startOne(env))
  await Promise.all(crew.map((child) => nextMessage(child)))
  return {
    carryOut: (order) =>
      Promise.all(
        crew.map(async (child) => {
          const answer = nextMessage(child)
          child.send(order)
          const message = await answer
          if (message.kind === 'done') return message.report
          throw new Error(message.kind === 'failed' ? message.reason : 'the process has begun anew')
        }),
      ),
    stop: async () => {
      await Promise.all(crew.map((child) => stopOne(child)))
    },
  }
}

function startOne(env: Record<string, string>): ChildProcess {
  // taskset replaces itself with the command, which inherits the channel.
  const child = spawn('taskset', ['-c', String(contenderCore), process.execPath, main], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    serialization: 'advanced',
    env: { ...process.env, ...env },
  })
  process.on('exit', () => child.kill('SIGKILL'))
  return child
}

async function nextMessage(child: ChildProcess): Promise<MoneyMessage> {
  const over = new AbortController()
  const { signal } = over
  try {
    const heard = once(child, 'message', { signal }).then(([message]: MoneyMessage[]) => message)
    const ended = once(child, 'exit', { signal }).then(() => undefined)
    const message = await Promise.race([heard, ended])
    if (message === undefined) throw new Error('a process of the crew has ended')
    return message
  } finally {
    over.abort()
  }
}

async function stopOne(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}
