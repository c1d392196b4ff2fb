import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommandLine } from '#bin/command-line/run-command-line.ts'
import { noUsage } from '#domain/inference/usage.ts'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'
import { newUuid } from '#lib/uuid.ts'
import { createTestDatabase, type TestDatabase } from '#test/setup/database.ts'
import { testSecret } from '#test/setup/gateway.ts'
import { testRedisUrl } from '#test/setup/redis.ts'
import { createUsageWorld } from '#test/usage/usage-world.ts'

let database: TestDatabase
let folder: string
beforeAll(async () => {
  database = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'weir-import-'))
  Object.assign(process.env, {
    WEIR_SECRET: testSecret,
    WEIR_POSTGRES_URL: database.url,
    WEIR_REDIS_URL: testRedisUrl(),
    WEIR_OPERATOR: 'ada',
  })
})
afterAll(async () => {
  await rm(folder, { recursive: true })
  await database.drop()
})

describe('weir catalogue import', () => {
  it('imports new models at once, and names them in the audit log', async () => {
    expect(await weir(await fileOf([modelOf({ usd: '0.000001', sellers: ['zenith'] })]))).toMatchObject({ code: 0 })
    expect(await soldAt()).toEqual(['acme 0.000001', 'zenith 0.000001'])
    expect(await logged()).toEqual([['catalogue.import', ['acme/one']]])
  })

  it('shows the plan with its effect on the last 30 days, and changes nothing before it is approved', async () => {
    await settleYesterday()
    const dearer = await fileOf([modelOf({ usd: '0.0000015', sellers: ['zenith'] })])
    const { out } = await weir(`${dearer} --plan`)
    expect(out).toMatch(/^acme\/one +price +acme prompt +0\.000001 +0\.0000015/m)
    expect(out).toMatch(/^acme\/one +acme +2 +1 +0\.001 +0\.0015$/m)
    expect(out).not.toMatch(/^acme\/one +zenith +\d/m)
    expect(out).toContain('Customers that used these models in the last 30 days: 1. Applying it tells them')
    expect(await soldAt()).toEqual(['acme 0.000001', 'zenith 0.000001'])
    const approve = /weir (catalogue approve \S+)$/m.exec(out)?.[1] ?? ''
    expect(await run(approve)).toMatchObject({ code: 0, out: expect.stringMatching(/^announced: 1$/m) })
    expect(await announcements()).toBe(1)
    expect(await soldAt()).toEqual(['acme 0.0000015', 'zenith 0.0000015'])
    expect((await weir(`${dearer} --plan`)).out).toContain('The catalogue is up to date.')
  })

  it('rejects a price that jumps and a seller that vanishes, unless they are confirmed', async () => {
    const jump = await fileOf([modelOf({ usd: '0.000015' })])
    const refused = await weir(jump)
    expect(refused.code).toBe(1)
    expect(refused.error).toMatch(/acme prompt: 0\.0000015 to 0\.000015 \(more than double\)/)
    expect(refused.error).toMatch(/zenith: name to none \(the provider would no longer be used\)/)
    expect(await weir(`${jump} --skip-doubtful`)).toMatchObject({ code: 0 })
    expect(await soldAt()).toEqual(['acme 0.0000015', 'zenith 0.0000015'])
    expect(await weir(`${jump} --confirm --no-announce`)).toMatchObject({ code: 0 })
    expect(await soldAt()).toEqual(['acme 0.000015'])
    expect(await announcements()).toBe(1)
    expect(await weir(`${jump} --confirm --skip-doubtful`)).toMatchObject({ code: 2 })
  })

  it('answers in one command who changed a price', async () => {
    const { code, out } = await run('catalogue history acme/one')
    expect(code).toBe(0)
    expect(out).toMatch(/^acme +\S+Z +ada +prompt 15 per million/m)
    expect(out).toMatch(/^acme +\S+Z +ada +prompt 1 per million/m)
  })
})

describe('weir catalogue undo', () => {
  it('shows what it would restore, and restores imports and approvals, the latest first', async () => {
    const { out } = await run('catalogue undo --plan')
    expect(out).toMatch(/^acme\/one +price +acme prompt +0\.000015 +0\.0000015/m)
    expect(await soldAt()).toEqual(['acme 0.000015'])
    expect(await run('catalogue undo --no-announce')).toMatchObject({ code: 0 })
    expect(await soldAt()).toEqual(['acme 0.0000015', 'zenith 0.0000015'])
    expect(await announcements()).toBe(1)
    expect(await run('catalogue undo')).toMatchObject({ code: 0 })
    expect(await announcements()).toBe(2)
    expect(await soldAt()).toEqual(['acme 0.000001', 'zenith 0.000001'])
    // The first import: the model was not sold before it.
    expect(await run('catalogue undo')).toMatchObject({ code: 0 })
    expect(await soldAt()).toEqual([])
    expect(await run('catalogue undo')).toMatchObject({
      code: 1,
      error: expect.stringContaining('no catalogue import'),
    })
    expect((await logged()).map(([action]) => action)).toEqual([
      'catalogue.import',
      'catalogue.approve',
      'catalogue.import',
      'catalogue.undo',
      'catalogue.undo',
      'catalogue.undo',
    ])
  })

  it('never undoes more than the latest import: not after another change', async () => {
    await weir(await fileOf([modelOf({ usd: '0.000001' })]))
    await weir(await fileOf([modelOf({ usd: '0.0000011' })]))
    await database.pool.query("UPDATE revisions SET revision = revision + 1 WHERE topic = 'catalogue'")
    const after = { code: 1, error: expect.stringContaining('has changed since the last recorded import') }
    expect(await run('catalogue undo')).toMatchObject(after)
    await weir(await fileOf([modelOf({ usd: '0.0000012' })]))
    expect(await run('catalogue undo')).toMatchObject({ code: 0 })
    expect(await soldAt()).toEqual(['acme 0.0000011'])
    expect(await run('catalogue undo')).toMatchObject(after)
  })

  it('is possible for the last twenty imports', async () => {
    for (let at = 10; at < 32; at += 1) await weir(`${await fileOf([modelOf({ usd: `0.0000${at}` })])} --confirm`)
    const { rows } = await database.pool.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM catalogue_imports',
    )
    expect(rows[0]?.count).toBe(20)
  })
})

function modelOf({ usd, sellers = [] }: { usd: string; sellers?: readonly string[] }): JsonObject {
  const pricing = { prompt: usd, completion: usd }
  return {
    id: 'acme/one',
    kind: 'chat',
    provider: 'acme',
    upstream_model_id: 'name',
    input_modalities: ['text'],
    output_modalities: ['text'],
    pricing,
    offers: sellers.map((provider) => ({ provider, upstream_model_id: 'name', pricing })),
  }
}

let files = 0
async function fileOf(models: JsonObject[]): Promise<string> {
  const file = join(folder, `models-${(files += 1)}.json`)
  await writeFile(file, JSON.stringify(models))
  return file
}

/** The sellers in force with their price of a prompt token. */
async function soldAt(): Promise<string[]> {
  const { rows } = await database.pool.query<{ sold: string }>(
    `SELECT o.provider || ' ' || p.usd AS sold FROM offers o JOIN (
       SELECT DISTINCT ON (provider) provider, units->>'prompt' AS usd FROM prices WHERE model_id = 'acme/one'
       ORDER BY provider, valid_from DESC) AS p ON p.provider = o.provider
     WHERE o.model_id = 'acme/one' AND o.active AND p.usd IS NOT NULL ORDER BY 1`,
  )
  return rows.map(({ sold }) => sold)
}

async function announcements(): Promise<number | null> {
  return (await database.pool.query('SELECT FROM announcements')).rowCount
}

async function logged(): Promise<[string, unknown][]> {
  const { rows } = await database.pool.query<{ action: string; details: JsonObject }>(
    "SELECT action, details FROM audit_entries WHERE action LIKE 'catalogue.%' ORDER BY sequence",
  )
  return rows.map(({ action, details }) => [action, details['models']])
}

/** Two charged requests at acme, and one at zenith that cost nothing. */
async function settleYesterday(): Promise<void> {
  const world = await createUsageWorld(database)
  const walletId = await world.newWallet()
  const startedAtMs = Date.now() - 86_400_000
  const usage = { ...noUsage, uncachedInput: 500 }
  const request = { walletId, keyId: newUuid(0), startedAtMs, model: 'acme/one', provider: 'acme', usage }
  await world.settle([
    { ...request, cost: nanoUsd(500_000n) },
    { ...request, cost: nanoUsd(500_000n) },
    { ...request, provider: 'zenith', cost: nanoUsd(0n) },
  ])
  await world.rollUpAll()
}

const weir = (line: string) => run(`catalogue import ${line}`)

async function run(line: string) {
  let out = ''
  let error = ''
  const code = await runCommandLine(line.split(' '), {
    out: (text) => void (out += `${text}\n`),
    error: (text) => void (error += `${text}\n`),
    readInput: async () => '',
  })
  return { code, out, error }
}
