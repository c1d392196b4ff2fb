import type { ServerProcess } from '#test/drills/setup/server-process.ts'
import { hostileActs, neverSent } from '#test/influence/hostile-acts.ts'
import { type Host, hosts } from '#test/influence/hosts.ts'
import { fieldsOf, seenRequest, type VictimCall, victimCalls } from '#test/influence/victim-calls.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { createClient } from '#test/setup/client.ts'
import type { RecordedRequest } from '#test/simulators/request-log.ts'
import type { Area, Attack } from '../area.ts'

// A short run tries one act in this many.
const shortStep = 23
const [namesCount, shortNamesCount] = [1_000, 100]
// Upstreams of other areas also serve some of these models.
const aheadOfOthers = -1

export const influence: Area = {
  name: 'influence',
  tries: 'requests of one tenant that make an upstream say what would change the requests of another',
  async run(attack) {
    const { world, report } = attack
    for (const { name, vendor, model, base, api = null } of hosts) {
      const url = world.simulator.url + base
      await world.addProvider({ vendor, name: `influence-${name}`, url, pattern: model, api, priority: aheadOfOthers })
    }
    // The upstreams answer most requests in a foreign format, which must not take them out of rotation. Other areas
    // have used up this address's daily allowance of operator loss, and all requests here come from it.
    const gateway = await world.startGatewayWith({
      WEIR_BREAKER_FAILURES: '1000000',
      WEIR_LIMITS_UNBILLED_USD: '1000000',
      WEIR_LIMITS_INFERENCE_FUNDED: '1000000',
    })
    const scene = { gateway, victim: await world.createClient(), attacker: await world.createClient() }
    let acts = 0
    for (const host of hosts) acts += await tryHost(attack, scene, host)
    const series = await tryNames(attack, scene)
    await world.simulator.play({ kind: 'echo' })
    await world.endGateway(gateway)
    report.figure(`${acts} refusals of ${hosts.length} upstreams, ${series} series`)
  },
}

interface Scene {
  readonly gateway: ServerProcess
  readonly victim: TestClient
  readonly attacker: TestClient
}

/**
 * After each act, compares one of the victim's requests with its earlier response, and after the last act all of them.
 */
async function tryHost(attack: Attack, scene: Scene, host: Host): Promise<number> {
  const { world, report, isShort } = attack
  const calls = victimCalls(host.model)
  await world.simulator.play({ kind: 'echo' })
  const before: RecordedRequest[] = []
  for (const call of calls) before.push(await callAsVictim(attack, scene, call))
  const names = [...new Set([...host.ours, ...before.flatMap(fieldsOf), ...neverSent])]
  const acts = hostileActs(host, names).filter((_act, index) => !isShort || index % shortStep === 0)
  const marks = Object.fromEntries(acts.map(({ mark, refusal }) => [mark, refusal]))
  await world.simulator.play({ kind: 'by-mark', marks })
  for (const [index, { path, body, label }] of acts.entries()) {
    if (!report.attempt(label)) continue
    await world.call(scene.gateway, scene.attacker, body, path).ended
    const turn = index % calls.length
    await compare(attack, scene, { label, call: calls[turn], before: before[turn] })
  }
  for (const [turn, call] of calls.entries()) {
    await compare(attack, scene, { label: `${host.name}: after all of it`, call, before: before[turn] })
  }
  return acts.length
}

async function compare(
  attack: Attack,
  scene: Scene,
  { label, call, before }: { label: string; call: VictimCall | undefined; before: RecordedRequest | undefined },
): Promise<void> {
  if (call === undefined || before === undefined) throw new Error('every call was made before')
  const [expected, got] = [seenRequest(before), seenRequest(await callAsVictim(attack, scene, call))]
  if (expected !== got) attack.report.find({ label, expected, got, request: JSON.stringify(call) })
}

async function callAsVictim(
  { world }: Attack,
  { gateway, victim }: Scene,
  { path, body }: VictimCall,
): Promise<RecordedRequest> {
  await world.simulator.forget()
  const { status, text } = await world.call(gateway, victim, body, path).ended
  const seen = (await world.simulator.requests()).find(({ rawBody }) => rawBody.includes('What is a weir?'))
  if (seen === undefined) throw new Error(`the upstream of ${path} was not asked: ${status} ${text.slice(0, 300)}`)
  return seen
}

/** Names invented by a tenant must not become metric labels. */
async function tryNames({ world, report, isShort }: Attack, { gateway, attacker }: Scene): Promise<number> {
  const host = hosts.find(({ name }) => name === 'groq')
  if (host === undefined) throw new Error('one upstream is told of thinking in a field of its own')
  const ask = async (index: number): Promise<void> => {
    await world.simulator.playNext(host.refuse({ message: `property 'invented_${index}' is unsupported` }))
    const body = { model: host.model, messages: [{ role: 'user', content: 'Hi' }], max_tokens: 5, reasoning: {} }
    await world.call(gateway, attacker, body).ended
  }
  await ask(0)
  const before = await seriesOf(gateway)
  for (let index = 1; index <= (isShort ? shortNamesCount : namesCount); index++) await ask(index)
  const after = await seriesOf(gateway)
  const added = after.filter((name) => !before.includes(name))
  report.judge({
    label: '[C2] series after fields with invented names',
    isRight: added.length === 0,
    expected: `${before.length} series`,
    got: `${after.length}, such as ${added.slice(0, 3).join(', ')}`,
  })
  return after.length
}

async function seriesOf({ operatingUrl }: ServerProcess): Promise<string[]> {
  const { text } = await createClient(operatingUrl).get('/metrics', { headers: { connection: 'close' } })
  const lines = text.split('\n').filter((line) => line.startsWith('weir_'))
  return lines.map((line) => line.replace(/ \S+$/, ''))
}
