import { createPrivateRedis } from '#test/identity/private-redis.ts'
import { findEngineFolder } from '#test/setup/find-engine-folder.ts'
import { drills } from '../drills.ts'
import { createPrivatePostgres } from '../setup/private-postgres.ts'
import type { Engines } from '../setup/world.ts'
import { parseDrillOrder } from './drill-order.ts'
import { runDrill } from './run-drill.ts'

// Signals reach a whole process group; the parent decides what to do about them.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})

const engines = startEngines()
process.on('message', async (message) => {
  const order = parseDrillOrder(message)
  const drill = drills.find(({ name }) => name === order.name)
  if (drill === undefined) throw new Error(`no drill is called ${order.name}`)
  const report = await runDrill(drill, await engines, order)
  if (process.connected) process.send?.(report)
})
// There are no more drills, they were interrupted, or the parent is dead, perhaps before this line.
process.on('disconnect', end)
if (!process.connected) await end()

async function startEngines(): Promise<Engines> {
  // The data folder is in memory where possible, where `fsync` is cheap, so drills leave it on.
  const parentFolder = await findEngineFolder()
  const [postgres, redis] = await Promise.all([createPrivatePostgres({ parentFolder }), createPrivateRedis()])
  await redis.start()
  process.env['WEIR_TEST_POSTGRES_URL'] = postgres.url
  return { postgres, redis }
}

/** A drill may be running; its servers are killed when this process exits. */
async function end(): Promise<void> {
  const { postgres, redis } = await engines
  await Promise.all([postgres.remove(), redis.remove()])
  process.exit()
}
