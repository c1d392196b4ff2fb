import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type DrillOrder, type DrillReport, parseDrillReport } from './drill-order.ts'

/** A process that runs one drill after another on its own databases. */
export interface Lane {
  run(order: DrillOrder): Promise<DrillReport>
  /** Resolves when the process and its databases are gone, even if a drill was running. */
  end(): Promise<void>
}

const main = fileURLToPath(new URL('./lane.ts', import.meta.url))

export function startLane(): Lane {
  const child = fork(main, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const exited = once(child, 'exit')
  return {
    run: async (order) => {
      const reported = once(child, 'message').then(([message]) => parseDrillReport(message))
      child.send(order)
      const died = exited.then(([code, signal]) => {
        throw new Error(`the lane of ${order.name} ended with ${code ?? signal}`)
      })
      return Promise.race([reported, died])
    },
    // The process ends when its channel closes, so it also ends if this process is killed.
    end: async () => {
      if (child.connected) child.disconnect()
      await exited
    },
  }
}
