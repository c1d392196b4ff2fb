import { fileURLToPath } from 'node:url'
import type { ServerProcess } from '#test/drills/setup/server-process.ts'
import { until } from '#test/drills/setup/until.ts'

const clockModule = fileURLToPath(new URL('./wander-clock.ts', import.meta.url))

/** The options of a process whose clock jumps through these shifts in order. */
export function wandering(shiftsMs: readonly number[]): { env: Record<string, string>; nodeFlags: readonly string[] } {
  return { env: { WEIR_TEST_CLOCK_SHIFTS_MS: shiftsMs.join(',') }, nodeFlags: ['--import', clockModule] }
}

/** Makes the clocks of some processes jump, and waits until they have. */
export async function jumpClocks(servers: readonly ServerProcess[]): Promise<void> {
  await Promise.all(
    servers.map(async (server) => {
      const before = jumpOf(server)
      process.kill(server.pid, 'SIGUSR2')
      await until(async () => (jumpOf(server) === before ? 'the clock of a process has not jumped' : null))
    }),
  )
}

function jumpOf({ logLines }: ServerProcess): string | undefined {
  return logLines.findLast((line) => line.startsWith('the clock jumped'))
}
