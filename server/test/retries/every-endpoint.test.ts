import { afterAll, beforeAll, expect, it } from 'vitest'
import { inferenceEndpoints } from '#bin/wiring/endpoints.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ WEIR_TEST_MODELS_ENABLED: 'true' })
})
afterAll(() => gateway.close())

const cases = inferenceEndpoints.flatMap(({ paths, example, events }) =>
  example === undefined
    ? []
    : [
        { path: paths[0] ?? '', body: example },
        ...(events === undefined ? [] : [{ path: paths[0] ?? '', body: { ...example, stream: true } }]),
      ],
)

it.each(cases)('[NEXT-60] [NEXT-61] $path replays its answer to $body', async ({ path, body }) => {
  const caller = gateway.as(await gateway.createClient({ usd: '25' }))
  const options = { headers: { 'idempotency-key': 'once' } }
  const [first, second] = [await caller.post(path, body, options), await caller.post(path, body, options)]
  expect(first.status, first.text).toBeLessThan(300)
  expect([first.headers.get('x-weir-replayed'), second.headers.get('x-weir-replayed')]).toEqual([null, 'true'])
  expect([second.status, second.headers.get('content-type')]).toEqual([first.status, first.headers.get('content-type')])
  expect(second.bytes.equals(first.bytes)).toBe(true)
})
