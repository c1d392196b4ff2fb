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
  caller = gateway.as((await gateway.createClient()).key)
})
afterAll(async () => {
  await gateway.close()
  await first.close()
  await second.close()
})

let accounts = 0
/** The gateway remembers fields per account, so each test has its own accounts. */
beforeEach(async () => {
  await gateway.pool.query('UPDATE provider_accounts SET enabled = false')
  accounts += 1
  const vendors = { first: 'groq', second: 'together' }
  for (const [name, { url }] of Object.entries({ first, second })) {
    const vendor = name === 'first' ? vendors.first : vendors.second
    const priority = name === 'first' ? 0 : 1
    await gateway.addProvider({ vendor, url: `${url}/v1`, pattern: model, name: `${name}-${accounts}`, priority })
  }
  first.play({ kind: 'echo' })
  first.forget()
  second.forget()
})

const field = 'reasoning_effort'
/** The first upstream receives the setting in its own field. */
const reasoning = { effort: 'low' }
const ask = (body: object = {}) => caller.post('/v1/chat/completions', { model, messages, reasoning, ...body })
const sentTo = ({ requests }: Simulator) => requests.map(({ body }) => Object.keys(body ?? {}).includes(field))

const isLearned = (): boolean => gateway.logLines.join('').includes('the gateway omits it for an hour')
const neutral = ({ requests }: Simulator) => requests.filter(({ rawBody }) => rawBody.includes('"Say hi."'))

it('asks an upstream once more without a field of ours, and leaves it out for all once a neutral request confirms it', async () => {
  first.play({ kind: 'by-mark', marks: { [`"${field}"`]: refusing(field) } })
  const reply = await ask()
  expect(reply.status).toBe(200)
  expect(reply.headers.get('x-params-ignored')).toBe(field)
  await expect.poll(isLearned).toBe(true)
  expect(neutral(first).map(({ body }) => Object.keys(body ?? {}).includes(field))).toEqual([true, false])
  first.forget()
  expect((await ask()).status).toBe(200)
  expect(sentTo(first)).toEqual([false])
  expect(second.requests).toHaveLength(0)
  expect(await gateway.readMetrics()).toMatch(
    /weir_provider_rejected_fields_total\{provider="groq",model="[^"]+",field="reasoning_effort"\} 1/,
  )
  const log = gateway.logLines.join('')
  expect(log).toContain('"field":"reasoning_effort"')
  expect(log).toMatch(/"override":"weir provider override first-1 --model [^ ]+ --leave-out reasoning_effort"/)
})

/** Rejects the field for every client request, and for no neutral request. */
const refuseClient = (): void => first.play({ kind: 'by-mark', marks: { '"Hi"': refusing(field) } })
const ofClient = ({ requests }: Simulator) => requests.filter(({ rawBody }) => rawBody.includes('"Hi"'))

it('C1: sends others the field as before where a neutral request is taken', async () => {
  refuseClient()
  await ask()
  await expect.poll(() => gateway.logLines.join('').includes('"neutralRequest":"taken"')).toBe(true)
  first.play({ kind: 'echo' })
  first.forget()
  // Another conversation: the first one stays with its upstream.
  expect((await ask({ messages: [{ role: 'user', content: 'Bye' }] })).status).toBe(200)
  expect(sentTo(first)).toEqual([true])
})

it('asks again for each of several fields that an upstream refuses', async () => {
  const [qwen, ours] = ['qwen/qwen3-32b', ['enable_thinking', 'thinking_budget']]
  await gateway.addProvider({ vendor: 'alibaba', url: `${first.url}/v1`, pattern: qwen })
  first.play({ kind: 'by-mark', marks: Object.fromEntries(ours.map((name) => [`"${name}"`, refusing(name)])) })
  const thinking = { type: 'enabled', budget_tokens: 1_024 }
  const reply = await caller.post('/v1/messages', { model: qwen, messages, max_tokens: 2_000, thinking })
  expect(reply.status).toBe(200)
  expect(ofClient(first).map(({ body }) => ours.filter((name) => Object.keys(body ?? {}).includes(name)))).toEqual([
    ['enable_thinking', 'thinking_budget'],
    ['thinking_budget'],
    [],
  ])
  expect(second.requests).toHaveLength(0)
})

it('asks the next upstream where leaving it out does not help', async () => {
  refuseClient()
  expect((await ask()).status).toBe(200)
  expect(ofClient(first)).toHaveLength(2)
  expect(second.requests).toHaveLength(1)
})

it('asks a lone upstream twice, and not a third time by the retry', async () => {
  const { operators } = createPostgresOperators(gateway.pool)
  const edit = { name: `second-${accounts}`, enabled: false }
  await changeProviderAccount({ operators, vendors: vendorTerms }, edit, operatorAuthor(Date.now()))
  await gateway.gateway.refresh()
  refuseClient()
  const reply = await ask()
  expect(reply.status).toBe(502)
  expect(ofClient(first)).toHaveLength(2)
})

it('tells the client of a field that it sent itself', async () => {
  first.playNext(refusing('future_field'))
  const reply = await ask({ future_field: 1 })
  expect(reply.status).toBe(400)
  expect(reply.text).toContain('future_field')
  expect(first.requests).toHaveLength(1)
  expect(second.requests).toHaveLength(0)
})
