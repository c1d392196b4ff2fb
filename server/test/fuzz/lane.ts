import { isJsonObject } from '#lib/json.ts'
import { type FuzzOrder, fuzzTarget } from './engine/fuzz-target.ts'
import { startWatchdog } from './engine/watchdog.ts'
import { findTarget } from './targets.ts'

const watchdog = startWatchdog()

// A process that fuzzes the targets it receives, one after another.
process.on('message', async (message) => {
  const order = parseOrder(message)
  const report = await fuzzTarget(findTarget(order.target), order, watchdog)
  process.send?.(report)
})
process.on('disconnect', () => process.exit())

function parseOrder(message: unknown): FuzzOrder {
  if (!isJsonObject(message)) throw new Error(`not an order: ${JSON.stringify(message)}`)
  const { target, seed, runs, learns, keeps } = message
  return {
    target: String(target),
    seed: Number(seed),
    runs: Number(runs),
    learns: learns === true,
    keeps: keeps === true,
  }
}
