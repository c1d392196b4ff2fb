import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstRunToken } from '#control/first-run/first-run-token.ts'
import { loadCommands, loadEveryCommand } from '#bin/commands/command-table.ts'
import { runCommandLine } from '#bin/command-line/run-command-line.ts'
import { isJsonObject, type JsonObject, stringAt } from '#lib/json.ts'
import { createTestDatabase, type TestDatabase } from '#test/setup/database.ts'
import { redisPrefixOf, testRedisUrl } from '#test/setup/redis.ts'

const secret = 'kR7vQ2mZx9LwT4bNc8HdPf3JsGy6UaEe'
const canary = 'sk-vendor-canary-5f2d'

describe('the command line', () => {
  let database: TestDatabase
  let folder: string

  beforeAll(async () => {
    database = await createTestDatabase()
    folder = await mkdtemp(join(tmpdir(), 'weir-commands-'))
    Object.assign(process.env, {
      WEIR_SECRET: secret,
      WEIR_POSTGRES_URL: database.url,
      WEIR_REDIS_URL: testRedisUrl(),
      WEIR_REDIS_PREFIX: redisPrefixOf(database.url),
      VENDOR_KEY: canary,
    })
  })
  afterAll(async () => {
    await rm(folder, { recursive: true })
    await database.drop()
  })

  it('describes every command', async () => {
    const overview = await weir('--help')
    expect(overview.code).toBe(0)
    for (const { words } of await loadEveryCommand()) {
      expect(overview.out).toContain(`  ${words} `)
      const help = await weir(`${words} --help`)
      expect(help).toMatchObject({ code: 0, error: '', out: expect.stringContaining(`Usage: weir ${words}`) })
    }
  })

  it('loads the commands of the first word alone, and finds every one of them by it', async () => {
    for (const { words } of await loadEveryCommand()) {
      const [first = ''] = words.split(' ')
      const near = (await loadCommands(first)).map((command) => command.words)
      expect(near).toContain(words)
      expect(near.filter((other) => other.split(' ')[0] !== first)).toEqual([])
    }
    expect(await loadCommands('nonsense')).toEqual([])
    const table = await readFile(join(import.meta.dirname, '../../src/bin/commands/command-table.ts'), 'utf8')
    expect(table.match(/^import .*/gm)).toEqual(["import type { Command } from '../command-line/command.ts'"])
  })

  it('says which version it is', async () => {
    expect(await weir('--version')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^weir \S+ \(Node 2\d\.[\d.]+\)\n$/),
    })
  })

  it('shows the settings and where they come from, without secrets', async () => {
    const { code, out } = await weir('config show --set')
    expect([code, out]).toEqual([0, expect.stringMatching(/^secret +\(set, not shown\) +environment +WEIR_SECRET$/m)])
    expect(out).not.toContain(secret)
  })

  it('answers a wrong line with the usage and exit code 2', async () => {
    for (const line of [
      'nonsense',
      'key',
      'key create',
      'key create a b --name x',
      'key create a --nmae x',
      'brake on x',
    ]) {
      const { code, error } = await weir(line)
      expect(code, line).toBe(2)
      expect(error, line).toContain('Usage: weir')
    }
  })

  it('leads from nothing to a funded user with a key', async () => {
    const waiting = 'There is no account yet. Create the first one in the console with the token'
    const upToDate = 'The database is up to date.\n'
    expect((await weir('migrate')).out).toBe(`${upToDate}${waiting} ${firstRunToken(secret)}\n`)
    const user = await weirJson('user create ada@weir.test --name Ada')
    expect((await weir('migrate')).out).toBe(upToDate)
    const quote = await weir('wallet credit ada@weir.test 100 --channel local --quote')
    expect(quote.out).toBe('credit  100\nfee     10\ntax     5\ntotal   115\n')
    await weirJson('wallet credit ada@weir.test 100 --channel local --note invoice-7')
    const granted = await weirJson(`wallet credit ${stringAt(user, 'walletId')} $0.5 --grant`)
    expect(granted).toMatchObject({ balance: '100.5', quote: null })
    const walletId = stringAt(user, 'walletId') ?? ''
    await database.pool.query(
      `UPDATE wallets SET balance_nano = balance_nano - 2000000000, charged_nano = 2000000000, held_nano = 700000000 WHERE id = $1`,
      [walletId],
    )
    // Q09: all figures differ, so that no two can be confused.
    const shown = { balance: '98.5', held: '0.7', credited: '100.5', charged: '2' }
    expect(await weirJson('wallet show ada@weir.test')).toEqual({
      id: walletId,
      owner: `user ${stringAt(user, 'id')}`,
      ...shown,
    })
    const lines = Object.entries(shown).map(([name, value]) => `${name.padEnd(8)}  ${value}\n`)
    expect((await weir(`wallet show ${walletId}`)).out).toContain(lines.join(''))
    await database.pool.query(
      `UPDATE wallets SET balance_nano = balance_nano + 2000000000, charged_nano = 0, held_nano = 0 WHERE id = $1`,
      [walletId],
    )
    const key = await weirJson('key create ada@weir.test --name laptop --limit 5 --period weekly --cidr 10.0.0.0/8')
    const keyId = stringAt(key, 'id') ?? ''
    expect(stringAt(key, 'secret')).toMatch(/^sk-weir-/)
    await weirJson(`key cidrs ${keyId} 192.0.2.1 192.0.2.2`)
    expect((await weir(`key cidrs ${keyId}`)).code).toBe(2)
    await weirJson(`key disable ${keyId}`)
    const list = await weir('key list ada@weir.test')
    expect(list.out).toMatch(/laptop\s+standard\s+disabled\s+0\s+5 per week/)
    expect(list.out).not.toContain(stringAt(key, 'secret'))
    await weirJson(`key enable ${keyId}`)
    await weirJson(`key revoke ${keyId}`)
    // P30: revoked keys stay in the list.
    expect((await weir('key list ada@weir.test')).out).toMatch(/laptop\s+standard\s+revoked\s+0\s+5 per week/)
    expect(await weir(`key enable ${keyId}`)).toMatchObject({
      code: 1,
      error: expect.stringContaining('not found in this account'),
    })
    await weirJson('user suspend ada@weir.test')
    await weirJson('user unsuspend ada@weir.test')
    await weirJson('user breaker ada@weir.test on --minute 1')
    expect((await weir('user breaker ada@weir.test on --minute 0.001')).code).toBe(1)
    const first = await weirJson('user password ada@weir.test')
    expect(stringAt(first, 'password')).toMatch(/^[\w-]{20}$/)
    expect(stringAt(await weirJson('user password ada@weir.test'), 'password')).not.toBe(stringAt(first, 'password'))
    await weirJson('user verify ada@weir.test')
    expect((await weir('user verify nobody@weir.test')).code).toBe(1)
    expect(await weir('audit ledger')).toEqual({ code: 0, out: 'the ledger is consistent\n', error: '' })
    const id = '019f0000000070008000000000000001'
    expect(await weir(`request req_${id}`)).toMatchObject({
      code: 1,
      error: expect.stringContaining('No record of'),
    })
    const lapsed = 'INSERT INTO lapsed_holds (id, wallet_id, key_id, amount_nano) VALUES ($1, $2, $3, 7)'
    await database.pool.query(lapsed, [id, walletId, keyId])
    expect(await weirJson(`request req_${id}`)).toMatchObject({ id: `gen-${id}`, state: 'lapsed' })
    const { out } = await weir(`request gen-${id}`)
    expect(out).toMatch(/^user +ada@weir\.test \(/m)
    expect(out).toMatch(/^key +laptop sk-weir-\S*…\S+ \(/m)
    expect(out).toMatch(/^held +0\.000000007 USD\ncost +0 USD\nrefund +lease_lapsed\n\nno provider was called$/m)
  })

  it('takes vendor keys from standard input or a variable, and never shows them', async () => {
    const outputs = [
      await weir('provider add openai --key -', `${canary}\n`),
      await weir('provider add openai --name openai-2 --key-env VENDOR_KEY'),
      await weir('provider add openai --name openai-3 --key-env NOT_SET'),
      await weir('provider add openai --name openai-2 --key-env VENDOR_KEY'),
      await weir('provider list'),
      await weir('provider list --json'),
    ]
    expect(outputs.map(({ code }) => code)).toEqual([0, 0, 2, 1, 0, 0])
    expect(JSON.stringify(outputs)).not.toContain(canary)
  })

  it('overrides what a provider takes', async () => {
    await weirJson('provider override openai --leave-out seed --send top_k=extra.top_k --thinking reasoning')
    await weirJson('provider override openai --leave-out user --efforts low,high --output-cap max_tokens')
    await weirJson('provider override openai --model gpt-5* --thoughts none')
    const every = {
      leaveOut: ['seed', 'user'],
      send: { top_k: 'extra.top_k' },
      thinking: 'reasoning',
      efforts: ['low', 'high'],
      outputCap: 'max_tokens',
    }
    expect(await weirJson('provider show openai')).toMatchObject({
      overrides: [every, { model: 'gpt-5*', thoughts: 'none' }],
    })
    const shown = (await weir('provider show openai')).out
    expect(shown).toMatch(/^all models +leaveOut +seed, user\nall models +send +top_k at extra\.top_k$/m)
    expect(shown).toMatch(/^gpt-5\* +thoughts +none$/m)
    expect((await weir('provider list')).out).toMatch(/^openai .* enabled +ok .* all models, gpt-5\*$/m)
    await database.pool.query(
      `INSERT INTO provider_circuits (account_id, upstream_model, gateway, reason, opened_at, tried_at)
       SELECT id, 'gpt-5', 'host ' || n, 'upstream_auth_failed (401)', '2026-03-04T05:06:07Z', clock_timestamp()
       FROM provider_accounts, generate_series(1, 2) AS n WHERE name = 'openai'`,
    )
    const failing = 'failing since 2026-03-04 05:06 UTC (gpt-5; upstream_auth_failed (401); 2 gateways)'
    expect((await weir('provider list')).out).toContain(failing)
    await weirJson('provider override openai --model gpt-5* --clear --leave-out n')
    expect(await weirJson('provider show openai')).toMatchObject({
      overrides: [every, { model: 'gpt-5*', leaveOut: ['n'] }],
    })
    await weirJson('provider override openai --model gpt-5* --clear')
    await weirJson('provider override openai --clear')
    expect(await weirJson('provider show openai')).toMatchObject({ overrides: [] })
    expect((await weir('provider show openai')).out).toContain(
      'openai uses the built-in traits of this version; nothing is overridden',
    )
  })

  it.each([
    ['provider override openai', 2, 'Specify a trait to override, or --clear.'],
    ['provider override openai --can-rest perhaps', 2, '--can-rest must be yes or no.'],
    ['provider override openai --can-rest no', 1, 'canRest has no effect for openai'],
    ['provider override openai --leave-out model', 1, "model can't be overridden"],
    ['provider override openai --send top_k=', 1, "send: '' is not a field name"],
    ['provider override nobody --leave-out seed', 1, 'Provider account nobody not found.'],
    ['provider show nobody', 1, 'Provider account nobody not found.'],
  ])('says what is wrong with %s', async (line, code, words) => {
    expect(await weir(line)).toMatchObject({ code, error: expect.stringContaining(words) })
  })

  it('sets routes and the brake', async () => {
    await weirJson('route add openai/* openai --priority 2')
    await weirJson('route add openai/* openai-2 --upstream-model gpt-x')
    await weirJson('provider disable openai')
    expect((await weir('route list')).out).toMatch(/openai-2 .*\n.*openai \(disabled\)/)
    await weirJson('provider enable openai')
    expect(await weirJson('provider change openai-2 --api responses')).toMatchObject({ api: 'responses' })
    expect((await weir('provider list')).out).toMatch(/openai-2 .* responses\n/)
    expect(await weirJson('provider change openai-2 --api vendor')).toMatchObject({ api: null })
    expect(await weirJson('provider change openai-2 --discount 12.5')).toMatchObject({ discountPpm: 125_000 })
    expect((await weir('provider show openai-2')).out).toMatch(/^discount +12\.5 %$/m)
    expect(await weir('provider change openai-2 --discount 101')).toMatchObject({
      code: 2,
      error: expect.stringContaining('--discount must be a percentage'),
    })
    expect((await weir('provider change openai-2 --api telegraph')).code).toBe(1)
    await weirJson('route remove openai/* openai')
    await weirJson('brake on --retry-after 30 --reason test')
    expect((await weir('brake status')).out).toBe('the emergency brake is on, retry after 30 s (test)\n')
    await weirJson('brake off')
    expect(await weirJson('brake status')).toEqual({ engaged: false })
  })

  it('shows what was earned in a month', async () => {
    expect((await weir('earnings --month 2026-01 --by customer')).out).toBe(
      'CUSTOMER  REQUESTS  CHARGED  ABSORBED  PROVIDER COST  MARGIN\ntotal     0         0        0         0              0\n',
    )
    expect(await weirJson('earnings')).toMatchObject({ by: 'day', total: { requests: 0, margin: 0 }, rows: [] })
    expect(await weir('earnings --month 2026-13')).toMatchObject({ code: 2 })
    expect(await weir('earnings --by week')).toMatchObject({ code: 2 })
  })

  it('imports a catalogue, or says what is wrong with it', async () => {
    const file = join(folder, 'models.json')
    await writeFile(file, '[]')
    expect((await weir(`catalogue import ${file}`)).code).toBe(0)
    await writeFile(file, '[{"id": 5}]')
    expect(await weir(`catalogue import ${file}`)).toMatchObject({ code: 1, error: expect.stringContaining('[0]') })
    await writeFile(file, '[')
    expect((await weir(`catalogue import ${file}`)).error).toBe('The file is not valid JSON.\n')
    expect((await weir(`catalogue import ${file}-missing`)).code).toBe(1)
  })

  it('[P10] says how much of a catalogue is priced, and shows prices in all units', async () => {
    const file = join(folder, 'priced.json')
    const painter = {
      id: 'acme/painter',
      kind: 'image',
      provider: 'acme',
      input_modalities: ['text'],
      output_modalities: ['image'],
      pricing: { per_image_output: '0.04' },
      pricing_rules: [{ unit: 'output_image', usd: '0.09', resolution: '4k' }],
    }
    const numbered = [1, 2].map((variant) => ({ unit: 'output_image', usd: `0.0${variant}`, variant }))
    await writeFile(file, JSON.stringify([painter, { ...painter, id: 'acme/guess', pricing_rules: numbered }]))
    expect((await weir(`catalogue import ${file}`)).out).toContain('priced image: 1 of 2\n')
    expect(await weirJson('catalogue prices acme/painter')).toEqual({
      model: 'acme/painter',
      priced: true,
      prices: [
        { host: 'acme', unit: 'per_image_output', usd: '0.04', when: '' },
        { host: 'acme', unit: 'per_image_output', usd: '0.09', when: 'resolution 4k' },
      ],
    })
    expect((await weir('catalogue prices acme/guess')).out).toContain('calls are rejected')
    const unpriced = (await weir('catalogue list --unpriced')).out
    expect(unpriced).toMatch(/^acme\/guess +\w+ +unpriced +unserved$/m)
    expect(unpriced).not.toContain('acme/painter')
    expect((await weir('catalogue list --incomplete')).out).not.toContain('acme/painter')
    expect((await weir('catalogue list --unserved')).out).toMatch(/^acme\/painter +image +priced +unserved$/m)
    expect((await weir('catalogue prices acme/nobody')).error).toBe('Model acme/nobody not found.\n')
  })

  it('ends an audit that finds faults with exit code 3', async () => {
    await database.pool.query('UPDATE wallets SET balance_nano = balance_nano + 1')
    const { code, out } = await weir('audit ledger')
    expect(code).toBe(3)
    expect(out).toMatch(
      /^Ledger mismatch: balance must equal the sum of its postings\.\n {2}wallet {4}[0-9a-f-]{36}\n {2}table {5}wallets\n {2}expected {2}100500000000\n {2}found {5}100500000001\n/,
    )
    expect(out).toContain('  rows:\n    kind: ')
  })

  it('says in words when the configuration or Postgres is at fault', async () => {
    process.env['WEIR_SECRET'] = 'short'
    expect(await weir('provider list')).toMatchObject({ code: 1, error: expect.stringContaining('WEIR_SECRET') })
    process.env['WEIR_SECRET'] = secret
    process.env['WEIR_POSTGRES_URL'] = 'postgres://postgres@127.0.0.1:9/weir'
    expect(await weir('provider list')).toMatchObject({ code: 1, error: expect.stringContaining('WEIR_POSTGRES_URL') })
    process.env['WEIR_POSTGRES_URL'] = database.url
  })

  it('makes the change when Redis is away, with a warning, as a process of its own', async () => {
    const program = join(import.meta.dirname, '../../src/bin/weir.ts')
    const env = { ...process.env, WEIR_REDIS_URL: 'redis://127.0.0.1:9' }
    const run = await promisify(execFile)(process.execPath, [program, 'user', 'suspend', 'ada@weir.test'], { env })
    expect(run.stdout).toBe('ada@weir.test is suspended\n')
    expect(run.stderr).toContain('Redis is unavailable')
  })
})

async function weir(line: string, input = '') {
  let out = ''
  let error = ''
  const code = await runCommandLine(line.split(' ').filter(Boolean), {
    out: (text) => void (out += `${text}\n`),
    error: (text) => void (error += `${text}\n`),
    readInput: async () => input,
  })
  return { code, out, error }
}

async function weirJson(line: string): Promise<JsonObject> {
  const { code, out, error } = await weir(`${line} --json`)
  expect(error).toBe('')
  expect(code).toBe(0)
  const value: unknown = JSON.parse(out)
  if (!isJsonObject(value)) throw new Error('not an object')
  return value
}
