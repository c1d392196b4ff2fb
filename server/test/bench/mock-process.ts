import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface MockUpstream {
  port: number
  /** Ends every held stream normally, with its usage. */
  finishHeld(): void
  stop(): Promise<void>
}

/** Starts the mock upstream in its own process, on the core of its parent. */
export async function startMock(): Promise<MockUpstream> {
  const child = fork(fileURLToPath(new URL('./mock-upstream.ts', import.meta.url)), { stdio: ['ignore', 2, 2, 'ipc'] })
  const [message]: unknown[] = await once(child, 'message')
  const port = typeof message === 'object' && message !== null && 'port' in message ? Number(message.port) : Number.NaN
  return {
    port,
    finishHeld: () => {
      child.send('finish-held')
    },
    stop: async () => {
      const exited = once(child, 'exit')
      child.disconnect()
      await exited
    },
  }
}
