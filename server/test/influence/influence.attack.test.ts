import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { atOnce } from '#test/attack/setup/at-once.ts'
import type { Client } from '#test/setup/client.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import { type RecordedRequest, type Simulator, startSimulator } from '#test/simulators/start-simulator.ts'
import { formsCount, type HostileAct, hostileActs, neverSent } from './hostile-acts.ts'
import { type Host, hosts } from './hosts.ts'
import { fieldsOf, seenRequest, victimCalls } from './victim-calls.ts'

let gateway: TestGateway
let victim: Client
let attacker: Client
const upstreams = new Map<Host, Simulator>()

beforeAll(async () => {
  gateway = await startTestGateway({ WEIR_BREAKER_FAILURES: '100000' })
  for (const host of hosts) {
    const upstream = await startSimulator()
    const { name, vendor, model, base, api = null } = host
    await gateway.addProvider({ vendor, name, url: upstream.url + base, pattern: model, api })
    upstreams.set(host, upstream)
  }
  victim = gateway.as((await gateway.createClient({ usd: '1000' })).key)
  attacker = gateway.as((await gateway.createClient({ usd: '1000' })).key)
})
afterAll(async () => {
  await gateway.close()
  await Promise.all([...upstreams.values()].map((upstream) => upstream.close()))
})

function upstreamOf(host: Host): Simulator {
  return upstreams.get(host) ?? expect.fail(`${host.name} has an upstream`)
}

/** The upstream's view of each of the victim's requests. */
async function callAsVictim(host: Host): Promise<RecordedRequest[]> {
  const upstream = upstreamOf(host)
  upstream.play({ kind: 'echo' })
  const seen: RecordedRequest[] = []
  for (const { path, body } of victimCalls(host.model)) {
    upstream.forget()
    await victim.post(path, body)
    seen.push(upstream.requests[0] ?? expect.fail(`${host.name} is asked`))
  }
  return seen
}

/** Resolves when every upstream that could receive a neutral request has received and answered it. */
async function neutralRequestsEnd({ ours, vendor, name }: Host): Promise<void> {
  const isTold = (field: string): boolean =>
    gateway.logLines.some(
      (line) =>
        line.includes(`"provider":"${vendor}"`) &&
        line.includes(`"account":"${name}"`) &&
        line.includes(`"field":"${field}"`) &&
        line.includes('"neutralRequest":"taken"'),
    )
  await expect.poll(() => ours.filter((field) => !isTold(field)), { timeout: 10_000 }).toEqual([])
}

async function attack({ path, body, label }: HostileAct): Promise<void> {
  expect((await attacker.post(path, body)).status, label).toBeGreaterThanOrEqual(400)
}

describe('what one tenant makes an upstream say', () => {
  it.each(hosts)('C1: changes no byte of what another tenant sends to $name', async (host) => {
    const upstream = upstreamOf(host)
    const before = await callAsVictim(host)
    const fields = new Set([...before.flatMap(fieldsOf), ...neverSent])
    const acts = hostileActs(host, [...host.ours, ...[...fields].filter((name) => !host.ours.includes(name))])
    upstream.play({ kind: 'by-mark', marks: Object.fromEntries(acts.map(({ mark, refusal }) => [mark, refusal])) })
    // Upstreams answer neutral requests one at a time, so those acts run one by one. A third of the others is enough.
    const [asked, others] = [acts.slice(0, host.ours.length * formsCount), acts.slice(host.ours.length * formsCount)]
    for (const act of asked) await attack(act)
    await atOnce(
      others.filter((_act, index) => index % 3 === hosts.indexOf(host) % 3),
      8,
      attack,
    )
    await neutralRequestsEnd(host)
    const after = await callAsVictim(host)
    expect(after.map(seenRequest)).toEqual(before.map(seenRequest))
  })

  it('C1: never advises an operator to leave something out', () => {
    expect(gateway.logLines.filter((line) => line.includes('--leave-out'))).toEqual([])
    expect(gateway.logLines.filter((line) => line.includes('the gateway omits it for an hour'))).toEqual([])
  })
})

it('C2: 1,000 refusals of fields with other names add no series', async () => {
  const host = hosts.find(({ name }) => name === 'groq') ?? expect.fail()
  const upstream = upstreamOf(host)
  const ask = async (index: number): Promise<void> => {
    upstream.playNext(host.refuse({ message: `property 'field_${index}' is unsupported` }))
    await attacker.post('/v1/chat/completions', {
      model: host.model,
      messages: [{ role: 'user', content: 'Hi' }],
      max_tokens: 5,
      reasoning: { effort: 'low' },
    })
  }
  upstream.play({ kind: 'echo' })
  await ask(0)
  const before = await series()
  await atOnce(
    Array.from({ length: 1_000 }, (_, index) => index + 1),
    8,
    ask,
  )
  expect(await series()).toEqual(before)
})

/** The names and labels of all our series, without values. */
async function series(): Promise<string[]> {
  const lines = (await gateway.readMetrics()).split('\n')
  return lines.filter((line) => line.startsWith('weir_')).map((line) => line.replace(/ \S+$/, ''))
}
