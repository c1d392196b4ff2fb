import type { Random } from '../random.ts'

/** A sequence of steps; anything else may happen between two of them. */
export type Flow = AsyncGenerator<void, void, void>

/** Runs several flows to their ends: at each turn a random selection advances one step, all at the same time. */
export async function interleave(
  random: Random,
  flows: readonly Flow[],
  beside: () => Promise<void> = async () => {},
): Promise<void> {
  let running = [...flows]
  while (running.length > 0) {
    const chosen = random.shuffle(running).slice(0, random.integer(1, running.length))
    const besides = random.chance(0.5) ? [beside()] : []
    const steps = chosen.map(async (flow) => ((await flow.next()).done === true ? flow : null))
    const [ended] = await Promise.all([Promise.all(steps), ...besides])
    running = running.filter((flow) => !ended.includes(flow))
  }
}
