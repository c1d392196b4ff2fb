import { isJsonObject } from '#lib/json.ts'
import { type FuzzOrder, fuzzTarget } from './engine/fuzz-target.ts'
import { findTarget } from './targets.ts'

// One process that fuzzes the targets it is sent, one after another.
process.on('message', async (message) => {
  const order = parseOrder(message)
  const report = await fuzzTarget(findTarget(order.target), order)
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
