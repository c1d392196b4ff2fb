import { expect, it } from 'vitest'
import { objectAt, objectsIn, parseJsonObject } from '#lib/json.ts'
import { createTestClock } from '#test/setup/clock.ts'
import { faults } from '#test/simulators/scenarios/faults.ts'
import { eventually } from '#test/videos/webhook-deliveries.ts'
import { type HostsWorld, startHostsWorld } from './hosts-world.ts'

const clock = createTestClock('2030-01-07T12:00:15Z')
const openMs = 60_000

it('tells operators of a circuit breaker that opens, is tried in vain and closes', async () => {
  const world = await startHostsWorld({ WEIR_BREAKER_FAILURES: '2', WEIR_BREAKER_OPEN_MS: String(openMs) }, clock)
  const operator = await world.gateway.addOperatorKey()
  const healthOfGroq = async () => {
    const { json } = await world.gateway.as(operator.key).send('GET', '/api/admin/providers')
    return objectAt(objectsIn(json['data']).find(({ name }) => name === 'groq') ?? {}, 'health')
  }
  world.hosts.groq.play(faults.serverError(500))
  for (let call = 0; call < 2; call += 1) await world.chat({})
  await eventually(healthOfGroq, {
    state: 'failing',
    models: ['openai/gpt-oss-20b'],
    gateways: 1,
    reason: 'upstream_unavailable (500)',
    since: '2030-01-07T12:00:15.000Z',
  })
  expect(await statesOf(world)).toEqual({ groq: 'open', together: 'closed' })
  clock.forward(openMs)
  expect(await statesOf(world)).toEqual({ groq: 'half-open', together: 'closed' })
  await world.chat({})
  expect(await statesOf(world)).toEqual({ groq: 'open', together: 'closed' })
  world.hosts.groq.play({ kind: 'echo' })
  clock.forward(openMs)
  await world.chat({})
  expect(await statesOf(world)).toEqual({ groq: 'closed', together: 'closed' })
  await eventually(healthOfGroq, { state: 'ok' })

  const event = { account: 'groq', provider: 'groq', upstreamModel: 'openai/gpt-oss-20b' }
  expect(linesOf(world)).toMatchObject([
    { level: 40, ...event, reason: 'upstream_unavailable (500)', msg: expect.stringContaining('opened') },
    { level: 30, ...event, openForMs: 2 * openMs, msg: expect.stringContaining('closed') },
  ])
  const metrics = await world.gateway.readMetrics()
  for (const to of ['open', 'closed']) {
    expect(metrics).toContain(`weir_circuit_transitions_total{provider="groq",account="groq",to="${to}"} 1`)
  }
  // A second outage within the hour is logged, but not written to the audit log, from which entries cannot be removed.
  world.hosts.groq.play(faults.serverError(500))
  for (let call = 0; call < 2; call += 1) await world.chat({})
  expect(linesOf(world)).toHaveLength(3)
  const audited = async () => {
    const { rows } = await world.gateway.pool.query(
      `SELECT action, details->>'account' AS account FROM audit_entries WHERE action LIKE 'provider.circuit.%' ORDER BY sequence`,
    )
    return rows
  }
  await eventually(
    audited,
    ['open', 'close'].map((to) => ({ action: `provider.circuit.${to}`, account: 'groq' })),
  )
  await world.close()
})

/** The state of each account's one circuit, from the metric. */
async function statesOf(world: HostsWorld): Promise<Record<string, string>> {
  const shown = (await world.gateway.readMetrics()).matchAll(
    /^weir_circuits\{.*account="(\w+)",state="([\w-]+)"\} 1$/gm,
  )
  return Object.fromEntries([...shown].map(([, account = '', state = '']) => [account, state]))
}

function linesOf(world: HostsWorld) {
  return world.gateway.logLines
    .filter((line) => line.includes('provider account circuit'))
    .map((line) => parseJsonObject(line))
}
