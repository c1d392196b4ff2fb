import { setTimeout as wait } from 'node:timers/promises'
import type { Random } from '../random.ts'
import type { ServerProcess } from '../server-process.ts'
import { until } from '../until.ts'
import type { World } from '../world.ts'

/** Two gateways and two workers, each restarted in the same role after a kill. */
export interface MortalCrew {
  /** The living gateways. */
  gateways(): ServerProcess[]
  /** Kills one after another, as many gateways as workers; all are alive again at the end. */
  strike(random: Random, options: { kills: number; onKill: () => void }): Promise<void>
}

interface Seat {
  readonly command: 'gateway' | 'worker'
  readonly place: string
  process: ServerProcess
}

export async function startMortalCrew(world: World, env: Record<string, string>): Promise<MortalCrew> {
  const start = (command: Seat['command'], place: string): Promise<ServerProcess> =>
    command === 'gateway' ? world.startGateway({ env, place }) : world.startWorker({ env, place })
  const seats: Seat[] = await Promise.all(
    (['gateway', 'gateway', 'worker', 'worker'] as const).map(async (command, index) => {
      const place = `crew-${index}`
      return { command, place, process: await start(command, place) }
    }),
  )

  async function restart(seat: Seat, pauseMs: number): Promise<void> {
    await wait(pauseMs)
    seat.process = await start(seat.command, seat.place)
  }

  /** One worker is always alive: the drill measures how long the other's jobs wait. */
  function mortalsOf(command: Seat['command']): readonly Seat[] {
    const living = seats.filter((seat) => seat.command === command && seat.process.isAlive)
    return command === 'gateway' || living.length > 1 ? living : []
  }

  return {
    gateways: () =>
      seats.filter(({ command, process }) => command === 'gateway' && process.isAlive).map((seat) => seat.process),
    strike: async (random, { kills, onKill }) => {
      const restarts: Promise<void>[] = []
      for (const command of random.shuffle(alternate(kills))) {
        await wait(random.integer(200, 1_200))
        await until(async () => (mortalsOf(command).length > 0 ? null : `no ${command} came back`))
        const seat = random.pick(mortalsOf(command))
        await seat.process.kill()
        onKill()
        const restarted = restart(seat, random.integer(0, 800))
        // A failure is reported at the end.
        restarted.catch(() => {})
        restarts.push(restarted)
      }
      await Promise.all(restarts)
    },
  }
}

function alternate(count: number): readonly Seat['command'][] {
  return Array.from({ length: count }, (_, turn) => (turn % 2 === 0 ? 'gateway' : 'worker'))
}
