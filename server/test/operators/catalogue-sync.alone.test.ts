import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommandLine } from '#bin/command-line/run-command-line.ts'
import { createTestDatabase, type TestDatabase } from '#test/setup/database.ts'
import { testSecret } from '#test/setup/gateway.ts'
import { testRedisUrl } from '#test/setup/redis.ts'

const litellm = readFileSync(new URL('../samples/listings/litellm.json', import.meta.url), 'utf8')
const uuid = /[0-9a-f]{8}-[0-9a-f-]{27}/

let database: TestDatabase
let folder: string
let server: Server
let url: string
let served = litellm
beforeAll(async () => {
  database = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'weir-sync-'))
  server = createServer((request, response) => {
    response.writeHead(request.url === '/litellm.json' ? 200 : 404).end(served)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/litellm.json`
  Object.assign(process.env, {
    WEIR_SECRET: testSecret,
    WEIR_POSTGRES_URL: database.url,
    WEIR_REDIS_URL: testRedisUrl(),
    WEIR_EGRESS_ALLOWED_NETWORKS: '127.0.0.0/8',
    WEIR_OPERATOR: 'ada',
  })
  await importModels({ prompt: '0.0000015', completion: '0.000014' })
})
afterAll(async () => {
  server.close()
  await rm(folder, { recursive: true })
  await database.drop()
})

describe('weir catalogue sync', () => {
  it('shows what a source would change and changes nothing before it is approved', async () => {
    const { out } = await weir(`catalogue sync --from ${url}`)
    expect(out).toMatch(/openai\/gpt-5\.2 +price +openai prompt +0\.0000015 +0\.00000175\n/)
    expect(out).toMatch(/openai\/gpt-5\.2 +retirement +retires on +2027-06-30\n/)
    expect(out).toMatch(/openai\/text-embedding-3-small +model +embedding +openai\n/)
    expect(await promptPrices()).toEqual(['0.0000015'])
    const pending = await weir('catalogue pending')
    const id = uuid.exec(pending.out)?.[0]
    expect(pending.out).toContain('openai prompt')
    expect((await weir(`catalogue approve ${crypto.randomUUID()}`)).code).toBe(1)
    expect(await weir(`catalogue approve ${id}`)).toMatchObject({
      code: 0,
      out: expect.stringContaining('pricesAdded: '),
    })
    expect(await promptPrices()).toEqual(['0.0000015', '0.00000175'])
    expect((await weir('catalogue pending')).out).toBe('none\n')
    expect((await weir(`catalogue sync --from ${url}`)).out).toContain('The catalogue is up to date')
  })

  it('keeps every price that there was, and announces what retires', async () => {
    const { out } = await weir('catalogue history openai/gpt-5.2')
    expect(out).toMatch(
      /openai +\S+Z +ada +prompt 1\.75 per million, [^\n]*\nopenai +\S+Z +\w+ +prompt 1\.5 per million, /,
    )
    expect((await weir('catalogue history openai/nothing')).code).toBe(1)
    expect((await weir('catalogue deprecations --days 36500')).out).toMatch(/openai\/gpt-5\.2 +2027-06-30 +\d+\n/)
  })

  it('refuses a jump, unless it is confirmed or its model left as it is', async () => {
    served = litellm.replace('"input_cost_per_token": 1.75e-06', '"input_cost_per_token": 1.75e-05')
    const refused = await weir(`catalogue sync --apply --from ${url}`)
    expect(refused).toMatchObject({ code: 1, error: expect.stringContaining('more than double') })
    expect(await promptPrices()).toHaveLength(2)
    expect(await weir(`catalogue sync --apply --skip-doubtful --from ${url}`)).toMatchObject({ code: 0 })
    expect(await promptPrices()).toHaveLength(2)
    expect(await weir(`catalogue sync --apply --confirm --from ${url}`)).toMatchObject({ code: 0 })
    expect((await promptPrices()).at(-1)).toBe('0.0000175')
    served = litellm
  })

  it('refuses what was compared with an earlier catalogue', async () => {
    const { out } = await weir(`catalogue sync --from ${url}`)
    const id = uuid.exec(out)?.[0]
    await importModels({ prompt: '0.000002', completion: '0.000014' })
    const stale = await weir(`catalogue approve ${id} --confirm`)
    expect(stale).toMatchObject({ code: 1, error: expect.stringContaining('has changed') })
    expect((await weir(`catalogue reject ${id}`)).code).toBe(0)
    expect((await weir('catalogue pending')).out).toBe('none\n')
  })

  it('keeps in the audit log what was approved and what was rejected', async () => {
    const { rows } = await database.pool.query<{ action: string; details: { sources: string[]; models: string[] } }>(
      "SELECT action, details FROM audit_entries WHERE action LIKE 'catalogue.%' ORDER BY sequence",
    )
    expect(rows.map(({ action }) => action)).toEqual([
      'catalogue.import',
      'catalogue.approve',
      'catalogue.approve',
      'catalogue.import',
      'catalogue.reject',
    ])
    expect(rows[1]?.details).toMatchObject({ sources: [url], doubtful: 'refuse', modelsSkipped: 0 })
    expect(rows[2]?.details).toMatchObject({ doubtful: 'confirm', modelsSkipped: 0 })
    expect(rows[4]?.details.models).toContain('openai/gpt-5.2')
  })

  it('shows where sources disagree, and leaves the price as it is', async () => {
    const other = join(folder, 'other.json')
    await writeFile(other, litellm.replaceAll('1.75e-06', '1.8e-06'))
    const before = await promptPrices()
    const { out } = await weir(`catalogue sync --from ${url} --from ${other}`)
    expect(out).toMatch(
      /openai\/gpt-5\.2 +openai +price +http\S+: prompt 0\.00000175,.*other\.json: prompt 0\.0000018,/,
    )
    await weir(`catalogue sync --apply --confirm --from ${url} --from ${other}`)
    expect(await promptPrices()).toEqual(before)
  })

  it('takes a catalogue file as a source', async () => {
    const file = join(folder, 'own.json')
    await writeFile(file, JSON.stringify([model({ prompt: '0.000003', completion: '0.000014' })]))
    expect((await weir(`catalogue sync --from ${file}`)).out).toMatch(/openai prompt +0\.\d+ +0\.000003/)
    expect((await weir(`catalogue sync --apply --confirm --from ${file}`)).code).toBe(0)
    expect((await promptPrices()).at(-1)).toBe('0.000003')
    expect((await weir(`catalogue sync --from ${file}`)).out).toContain('The catalogue is up to date')
  })

  it.each([
    ['a source that is not there', () => `--from ${url}x`, 'returned 404'],
    ['an address that may not be asked', () => '--from http://10.0.0.1/', 'http://10.0.0.1/'],
    ['a file that is not there', () => `--from ${folder}/nothing.json`, "can't be read"],
    ['a file of no known form', () => `--from ${folder}/other.txt`, 'not valid JSON'],
  ])('says in a sentence what is wrong with %s', async (_, options, words) => {
    await writeFile(join(folder, 'other.txt'), 'text')
    const { code, error } = await weir(`catalogue sync ${options()}`)
    expect({ code, error }).toMatchObject({ code: 1, error: expect.stringContaining(words) })
    expect(error).not.toContain('    at ')
  })
})

function model(pricing: Record<string, string>) {
  return {
    id: 'openai/gpt-5.2',
    kind: 'chat',
    provider: 'openai',
    upstream_model_id: 'gpt-5.2',
    input_modalities: ['text'],
    output_modalities: ['text'],
    pricing,
  }
}

async function importModels(pricing: Record<string, string>): Promise<void> {
  const file = join(folder, 'models.json')
  await writeFile(file, JSON.stringify([model(pricing)]))
  expect((await weir(`catalogue import ${file} --confirm`)).code).toBe(0)
}

/** Every prompt price that gpt-5.2 ever had, oldest first. */
async function promptPrices(): Promise<string[]> {
  const { rows } = await database.pool.query<{ usd: string }>(
    "SELECT units->>'prompt' AS usd FROM prices WHERE model_id = 'openai/gpt-5.2' ORDER BY valid_from",
  )
  return rows.map(({ usd }) => usd)
}

async function weir(line: string) {
  let out = ''
  let error = ''
  const code = await runCommandLine(line.split(' '), {
    out: (text) => void (out += `${text}\n`),
    error: (text) => void (error += `${text}\n`),
    readInput: async () => '',
  })
  return { code, out, error }
}
