import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { vendorTerms } from '#bin/vendor-terms.ts'
import { changeProviderAccount } from '#control/operators/change-provider-account.ts'
import { operatorAuthor } from '#control/operators/platform-entry.ts'
import { createPostgresOperators } from '#store/postgres/operators/postgres-operators.ts'
import type { Client } from '#test/setup/client.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import { jsonAnswer } from '#test/simulators/scenarios/json-answer.ts'
import { type Simulator, startSimulator } from '#test/simulators/start-simulator.ts'

const model = 'meta-llama/llama-3.3-70b-instruct'
const messages = [{ role: 'user', content: 'Hi' }]
const refusing = (field: string) =>
  jsonAnswer(400, { error: { message: `property '${field}' is unsupported`, type: 'invalid_request_error' } })

let gateway: TestGateway
let first: Simulator
let second: Simulator
let caller: Client

beforeAll(async () => {
  gateway = await startTestGateway()
  first = await startSimulator()
  second = await startSimulator()
  caller = gateway.as((await gateway.createCaller()).key)
})
afterAll(async () => {
  await gateway.close()
  await first.close()
  await second.close()
})

let accounts = 0
/** What is remembered is remembered for an account, so each test has accounts of its own. */
beforeEach(async () => {
  await gateway.pool.query('UPDATE provider_accounts SET enabled = false')
  accounts += 1
  const vendors = { first: 'groq', second: 'together' }
  for (const [name, { url }] of Object.entries({ first, second })) {
    const vendor = name === 'first' ? vendors.first : vendors.second
    const priority = name === 'first' ? 0 : 1
    await gateway.addProvider({ vendor, url: `${url}/v1`, pattern: model, name: `${name}-${accounts}`, priority })
  }
  first.forget()
  second.forget()
})

const field = 'reasoning_effort'
/** The first upstream is told the wish in a field of its own. */
const reasoning = { effort: 'low' }
const ask = (body: object = {}) => caller.post('/v1/chat/completions', { model, messages, reasoning, ...body })
const sentTo = ({ requests }: Simulator) => requests.map(({ body }) => Object.keys(body ?? {}).includes(field))

it('asks an upstream once more without the field of ours that it refuses, and leaves it out from then on', async () => {
  first.playNext(refusing(field))
  expect((await ask()).status).toBe(200)
  expect(sentTo(first)).toEqual([true, false])
  expect((await ask()).status).toBe(200)
  expect(sentTo(first)).toEqual([true, false, false])
  expect(second.requests).toHaveLength(0)
  expect(await gateway.readMetrics()).toMatch(
    /weir_refused_fields_total\{provider="groq",model="[^"]+",field="reasoning_effort"\} 1/,
  )
  const log = gateway.logLines.join('')
  expect(log).toContain('"field":"reasoning_effort"')
  expect(log).toMatch(/"override":"weir provider override first-1 --model [^ ]+ --leave-out reasoning_effort"/)
})

it('asks again for each of several fields that an upstream refuses', async () => {
  first.playNext(refusing(field), refusing('stop'))
  expect((await ask()).status).toBe(200)
  expect(first.requests).toHaveLength(3)
  expect(second.requests).toHaveLength(0)
})

it('asks the next upstream where leaving it out does not help', async () => {
  first.playNext(refusing(field), refusing(field))
  expect((await ask()).status).toBe(200)
  expect(first.requests).toHaveLength(2)
  expect(second.requests).toHaveLength(1)
})

it('asks a lone upstream twice, and not a third time by the retry', async () => {
  const { operators } = createPostgresOperators(gateway.pool)
  const edit = { name: `second-${accounts}`, enabled: false }
  await changeProviderAccount({ operators, vendors: vendorTerms }, edit, operatorAuthor(Date.now()))
  await gateway.gateway.refresh()
  first.playNext(refusing(field), refusing(field))
  const reply = await ask()
  expect(reply.status).toBe(502)
  expect(first.requests).toHaveLength(2)
})

it('tells the client of a field that it sent itself', async () => {
  first.playNext(refusing('future_field'))
  const reply = await ask({ future_field: 1 })
  expect(reply.status).toBe(400)
  expect(reply.text).toContain('future_field')
  expect(first.requests).toHaveLength(1)
  expect(second.requests).toHaveLength(0)
})
