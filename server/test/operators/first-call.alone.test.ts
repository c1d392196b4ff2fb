import { afterAll, beforeAll, expect, it } from 'vitest'
import { runCommandLine } from '#bin/command-line/run-command-line.ts'
import { isJsonObject, parseJsonObject } from '#lib/json.ts'
import { createEmptyDatabase, type TestDatabase } from '#test/setup/database.ts'
import { startTestGateway, testSecret } from '#test/setup/gateway.ts'
import { testRedisUrl } from '#test/setup/redis.ts'
import { type Simulator, startSimulator } from '#test/simulators/start-simulator.ts'

let database: TestDatabase
let simulator: Simulator
beforeAll(async () => {
  database = await createEmptyDatabase()
  simulator = await startSimulator()
  Object.assign(process.env, {
    WEIR_SECRET: testSecret,
    WEIR_POSTGRES_URL: database.url,
    WEIR_REDIS_URL: testRedisUrl(),
  })
})
afterAll(async () => {
  await simulator.close()
  await database.drop()
})

it('leads from an empty database to a charged call in four commands and without a file', async () => {
  expect(await weir('migrate')).toMatch(/^starter catalogue of \d{4}-\d{2}-\d{2}: \d{3} models$/m)
  await weir(`provider add openai --key - --base-url ${simulator.url}/v1`, 'sk-upstream\n')
  await weir('user create you@example.com --grant 1')
  const secret = /^secret {2}(.+)$/m.exec(await weir('key create you@example.com --name laptop'))?.[1]

  const gateway = await startTestGateway({ WEIR_POSTGRES_URL: database.url })
  const answer = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'openai/gpt-4o-mini', messages: [{ role: 'user', content: 'Hello' }] }),
  })
  const body = parseJsonObject(await answer.text()) ?? {}
  await gateway.close()

  expect(answer.status, JSON.stringify(body)).toBe(200)
  expect(simulator.requests[0]?.body).toMatchObject({ model: 'gpt-4o-mini' })
  const usage = isJsonObject(body['usage']) ? body['usage'] : {}
  // 0.15 and 0.60 USD per million tokens are 150 and 600 nano-USD per token.
  const nano = 150 * Number(usage['prompt_tokens']) + 600 * Number(usage['completion_tokens'])
  expect(nano).toBeGreaterThan(0)
  expect(BigInt(Math.round(Number(usage['cost']) * 1e9))).toBe(BigInt(nano))
  const { rows } = await database.pool.query('SELECT balance_nano::text AS balance FROM wallets WHERE balance_nano > 0')
  expect(rows).toEqual([{ balance: String(1_000_000_000 - nano) }])
})

it('does not touch the catalogue of a database that was there before', async () => {
  await database.pool.query("UPDATE models SET listed = false WHERE id = 'openai/gpt-4o-mini'")
  const { rows: before } = await database.pool.query('SELECT * FROM revisions ORDER BY 1')
  expect(await weir('migrate')).toBe('The database is up to date.\n')
  const { rows } = await database.pool.query('SELECT * FROM revisions ORDER BY 1')
  expect(rows).toEqual(before)
})

it('leaves the catalogue empty where the operator says so, and imports the starter by name', async () => {
  const own = await createEmptyDatabase()
  process.env['WEIR_POSTGRES_URL'] = own.url
  try {
    expect(await weir('migrate --no-catalogue')).not.toContain('starter')
    expect((await own.pool.query('SELECT 1 FROM models')).rowCount).toBe(0)
    expect(await weir('migrate')).toMatch(/^The database is up to date\.\nThere is no account yet\./)
    expect(await weir('catalogue import starter')).toMatch(/^models: \d{3}$/m)
    expect(await weir('catalogue prices openai/gpt-5.6-luna')).toMatch(
      /openai +prompt +0\.0000002 +per litellm; disputed/,
    )
    expect(await weir('catalogue disputes')).toMatch(/openai\/gpt-5\.6-luna +openai +litellm/)
  } finally {
    await own.drop()
  }
})

async function weir(line: string, input = ''): Promise<string> {
  const printed: string[] = []
  const print = (text: string): void => void printed.push(`${text}\n`)
  const code = await runCommandLine(line.split(' '), { out: print, error: print, readInput: async () => input })
  expect(code, `${line}\n${printed.join('')}`).toBe(0)
  return printed.join('')
}
