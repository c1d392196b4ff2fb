import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { HostReport } from './host-process.ts'

interface BusyHost {
  readonly url: string
  /** The requests since the last report. */
  report(): Promise<HostReport>
  stop(): void
}

export async function spawnBusyHost(): Promise<BusyHost> {
  const child = fork(fileURLToPath(new URL('./host-process.ts', import.meta.url)))
  const [port] = await once(child, 'message')
  return {
    url: `http://127.0.0.1:${port}`,
    report: async () => {
      const answer = once(child, 'message')
      child.send('report')
      const [report] = await answer
      return report
    },
    stop: () => child.disconnect(),
  }
}
