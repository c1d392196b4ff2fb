import { fileURLToPath } from 'node:url'
import { Pool } from 'pg'
import { contenderCore, payingUserCount } from '../settings.ts'
import { findFreePort, startProcess } from '../start-process.ts'
import { benchModel, type PrepareContender } from './contender.ts'

const relay = fileURLToPath(new URL('../durable-relay.ts', import.meta.url))

/** The realistic minimum: a relay that holds and charges durably, and does nothing else. */
export const prepareDurable: PrepareContender = async (context) => {
  const engines = await context.engines()
  const { postgresUrl, redisUrl } = await engines.place('durable')
  await createTables(postgresUrl)
  const callers = Array.from({ length: payingUserCount }, (_, index) => ({ authorization: `Bearer ${index + 1}` }))
  return {
    start: async () => {
      const port = await findFreePort()
      const started = await startProcess({
        command: [process.execPath, relay, String(port), `http://127.0.0.1:${context.mockPort}`, postgresUrl, redisUrl],
        port,
        core: contenderCore,
      })
      return { ...started, port, model: benchModel, callers, engines }
    },
  }
}

async function createTables(connectionString: string): Promise<void> {
  const pool = new Pool({ connectionString, max: 1 })
  try {
    await pool.query(`CREATE TABLE wallets (id integer PRIMARY KEY, balance_nano bigint NOT NULL, held_nano bigint NOT NULL)
      WITH (fillfactor = 50)`)
    await pool.query(
      'CREATE TABLE generations (id uuid PRIMARY KEY, wallet_id integer NOT NULL, cost_nano bigint NOT NULL, record jsonb NOT NULL)',
    )
    await pool.query('INSERT INTO wallets SELECT id, 1000000000000000, 0 FROM generate_series(1, $1) AS id', [
      payingUserCount,
    ])
  } finally {
    await pool.end()
  }
}
