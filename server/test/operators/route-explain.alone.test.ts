import { afterAll, beforeAll, expect, it } from 'vitest'
import { runCommandLine } from '#bin/command-line/run-command-line.ts'
import { parseJsonObject, type JsonObject } from '#lib/json.ts'
import { startTestGateway, testSecret, type TestGateway } from '#test/setup/gateway.ts'
import { testRedisUrl } from '#test/setup/redis.ts'

const model = 'openai/gpt-5.2'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
  Object.assign(process.env, {
    WEIR_SECRET: testSecret,
    WEIR_POSTGRES_URL: gateway.databaseUrl,
    WEIR_REDIS_URL: testRedisUrl(),
  })
  for (const name of ['main', 'spare', 'idle']) {
    await gateway.addProvider({ vendor: 'openai', url: 'http://127.0.0.1:9', name })
  }
  await run('route add openai/* main')
  await run('route add openai/* spare --priority 9 --upstream-model late')
  await gateway.gateway.refresh()
})
afterAll(() => gateway.close())

it('prints which accounts a request tries, which it skips, and why', async () => {
  const { code, out } = await run(`route explain ${model}`)
  expect(code).toBe(0)
  expect(out).toMatch(/^model: openai\/gpt-5\.2\ndecided by: route openai\/\*\n\n/)
  expect(out).toMatch(/^main +openai +gpt-5\.2 +first +Route openai\/\* names it with priority 0\.$/m)
  expect(out).toMatch(/^spare +openai +late +fallback +Route openai\/\* names it with priority 9\.$/m)
  expect(out).toMatch(/^idle +openai +skipped +Route openai\/\* decides, and none of its routes names this account\.$/m)
})

it('says the same as the API, also for a customer whose organization does not allow the model', async () => {
  const { id } = await gateway.createOrganization()
  await gateway.pool.query(`UPDATE organizations SET allowed_models = '{anthropic/*}' WHERE id = $1`, [id])
  const operator = gateway.as((await gateway.addOperatorKey()).key)
  for (const customer of ['', id]) {
    const told = parseJsonObject(
      (await run(`route explain ${model}${customer === '' ? '' : ` --customer ${customer}`} --json`)).out,
    )
    const query = customer === '' ? '' : `&customer=${customer}`
    const { json } = await operator.get(`/api/admin/routes/explanation?model=${model}${query}`)
    const data = json['data'] as JsonObject & { accounts: JsonObject[] }
    const accounts = data.accounts.map(({ upstream_model: upstreamModel, own_key: isOwnKey, ...step }) => {
      return { ...step, upstreamModel, isOwnKey }
    })
    expect(told).toEqual({ ...data, accounts })
    expect(data['refusal'] === null).toBe(customer === '')
  }
})

it.each([
  ['route explain openai/nothing', 'Model openai/nothing not found'],
  [`route explain ${model} --customer nobody`, 'No wallet found for nobody'],
])('%s explains nothing', async (line, words) => {
  expect(await run(line)).toMatchObject({ code: 1, error: expect.stringContaining(words) })
})

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
