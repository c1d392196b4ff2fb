import { setTimeout as wait } from 'node:timers/promises'
import type { Random } from '../random.ts'
import type { ServerProcess } from '../server-process.ts'
import type { World } from '../world.ts'

/** Two gateways and two workers, each of which is started again in its place when it was killed. */
export interface MortalCrew {
  /** Whoever is alive. */
  gateways(): ServerProcess[]
  /** Kills one after another at random, until the time is over; then all of them are alive again. */
  strike(random: Random, forMs: number): Promise<{ gateways: number; workers: number }>
}

interface Seat {
  readonly command: 'gateway' | 'worker'
  readonly place: string
  process: ServerProcess
  kills: number
}

export async function startMortalCrew(world: World, env: Record<string, string>): Promise<MortalCrew> {
  const start = (command: Seat['command'], place: string): Promise<ServerProcess> =>
    command === 'gateway' ? world.startGateway({ env, place }) : world.startWorker({ env, place })
  const seats: Seat[] = await Promise.all(
    (['gateway', 'gateway', 'worker', 'worker'] as const).map(async (command, index) => {
      const place = `crew-${index}`
      return { command, place, process: await start(command, place), kills: 0 }
    }),
  )

  async function killAndRestart(seat: Seat, pauseMs: number): Promise<void> {
    seat.kills += 1
    await seat.process.kill()
    await wait(pauseMs)
    seat.process = await start(seat.command, seat.place)
  }

  /** One worker always lives: what is measured is how long the jobs of the other one wait for it. */
  function isMortal({ command, process }: Seat): boolean {
    const living = seats.filter((seat) => seat.command === command && seat.process.isAlive)
    return process.isAlive && (command === 'gateway' || living.length > 1)
  }

  return {
    gateways: () =>
      seats.filter(({ command, process }) => command === 'gateway' && process.isAlive).map((seat) => seat.process),
    strike: async (random, forMs) => {
      const before = killsOf(seats)
      const restarts: Promise<void>[] = []
      for (const endMs = Date.now() + forMs; Date.now() < endMs; ) {
        await wait(random.integer(400, 2_500))
        const mortal = seats.filter(isMortal)
        if (mortal.length === 0) continue
        const restart = killAndRestart(random.pick(mortal), random.integer(0, 1_500))
        // One that fails is heard of at the end.
        restart.catch(() => {})
        restarts.push(restart)
      }
      await Promise.all(restarts)
      const after = killsOf(seats)
      return { gateways: after.gateways - before.gateways, workers: after.workers - before.workers }
    },
  }
}

function killsOf(seats: readonly Seat[]): { gateways: number; workers: number } {
  const sum = (wanted: Seat['command']): number =>
    seats.filter(({ command }) => command === wanted).reduce((total, { kills }) => total + kills, 0)
  return { gateways: sum('gateway'), workers: sum('worker') }
}
