import assert from 'node:assert/strict'
import type { Drill } from '../drill.ts'
import { addUpstream } from '../setup/add-upstream.ts'
import { chatBody } from '../setup/chat-body.ts'
import { gatedCompletion } from '../setup/gated-stream.ts'
import type { Random } from '../setup/random.ts'
import { type Retried, sendUntilAnswered } from '../setup/send-until-answered.ts'
import type { ServerProcess } from '../setup/server-process.ts'
import { killWaiting, type SharedAnswers, shareAnswers } from '../setup/shared-answers.ts'
import { until } from '../setup/until.ts'

/** Where the gateway that fills the cache is killed. */
const deaths = [
  'before-dispatch',
  'before-settle',
  'after-settle',
  'before-cache-fill',
  'mid-cache-fill',
  'after-cache-fill',
] as const

const clients = { short: 100, long: 300 }
const fewClients = 20

export const cache: Drill = {
  name: 'cache',
  requires: 'many identical requests over killed gateways: one upstream call, whole and equal answers, sound books',
  async start(world) {
    await addUpstream(world)
    const caller = await world.createClient({ usd: '100' })
    world.noteUnseen(caller.keyId)
    const scene = await shareAnswers(world, caller, 'WEIR_CACHE_LEASE_MS')
    return async (random, point, { isShort }) => {
      const death = isShort ? random.pick(deaths) : (deaths[point % deaths.length] ?? 'mid-cache-fill')
      // Starting a gateway takes most of the time, so all start at once.
      const [gateways, fatal] = await Promise.all([scene.seats(), scene.startFatal(death)])
      await killBystander(scene, random, { gateways, count: isShort ? clients.short : clients.long })
      await killFiller(scene, random, { survivors: gateways.filter(({ isAlive }) => isAlive), fatal })
    }
  },
}

/** One of three gateways dies while clients of all of them wait for the answer that another one fetches. */
async function killBystander(
  scene: SharedAnswers,
  random: Random,
  { gateways, count }: { gateways: readonly ServerProcess[]; count: number },
): Promise<void> {
  const request = await newRequest(scene, random)
  const before = await scene.charges()
  const answers = await killWaiting(scene, random, { gateways, request, clients: count, gate: 'cache' })
  await judge(scene, { answers, callsMax: 1 })
  assert.equal((await scene.charges()) - before, 1, 'one request was charged')
}

/** The gateway that fills the cache dies; clients of another one wait for its answer, and get a whole one. */
async function killFiller(
  scene: SharedAnswers,
  random: Random,
  { survivors, fatal }: { survivors: readonly ServerProcess[]; fatal: ServerProcess },
): Promise<void> {
  const { world } = scene
  const [survivor] = survivors
  assert.ok(survivor !== undefined, 'a gateway is alive')
  const request = await newRequest(scene, random)
  const before = await scene.charges()
  const gatewayFor: Retried['gatewayFor'] = (attempt) => (attempt === 0 && fatal.isAlive ? fatal : survivor)
  const first = sendUntilAnswered({ ...request, gatewayFor })
  await until(async () => ((await isFilling(scene)) ? null : 'the fatal gateway has not claimed the answer'))
  const others = Array.from({ length: fewClients }, () => sendUntilAnswered({ ...request, gatewayFor: () => survivor }))
  await world.simulator.release('cache')
  await fatal.exited
  await judge(scene, { answers: await Promise.all([first, ...others]), callsMax: 2 })
  assert.ok((await scene.charges()) - before <= 2, 'at most the dead request and the one after it were charged')
  const later = await sendUntilAnswered({ ...request, gatewayFor: () => survivor })
  await judge(scene, { answers: [await first, later], callsMax: 2 })
}

async function newRequest({ world, caller }: SharedAnswers, random: Random): Promise<Pick<Retried, 'key' | 'body'>> {
  await world.simulator.forget()
  await world.simulator.play(gatedCompletion('cache'))
  const body = { ...chatBody({ stream: random.chance(0.5) }), seed: random.integer(1, 2 ** 48), cache: true }
  return { key: caller.key, body }
}

async function judge(
  { world }: SharedAnswers,
  { answers, callsMax }: { answers: readonly string[]; callsMax: number },
): Promise<void> {
  assert.equal(new Set(answers.map(contentOf)).size, 1, 'all clients have the same content')
  assert.ok((await world.simulator.requests()).length <= callsMax, `the upstream was called at most ${callsMax} times`)
  await world.settleDown()
}

/** Without what belongs to one request: its id, its time and its cost. */
function contentOf(text: string): string {
  return text.replaceAll(/"id":"gen-[^"]+"|"created":\d+|"cost":[\d.e-]+/g, '')
}

async function isFilling({ world }: SharedAnswers): Promise<boolean> {
  const { rows } = await world.pool.query(`SELECT FROM cached_answers WHERE state = 'filling'`)
  return rows.length > 0
}
