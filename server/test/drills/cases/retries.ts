import assert from 'node:assert/strict'
import type { Drill } from '../drill.ts'
import { addUpstream } from '../setup/add-upstream.ts'
import { chatBody } from '../setup/chat-body.ts'
import { gatedCompletion, gatedStream } from '../setup/gated-stream.ts'
import type { Random } from '../setup/random.ts'
import { type Retried, sendUntilAnswered } from '../setup/send-until-answered.ts'
import type { ServerProcess } from '../setup/server-process.ts'
import { killWaiting, type SharedAnswers, shareAnswers } from '../setup/shared-answers.ts'
import { until } from '../setup/until.ts'

/** Where the gateway that runs a request, or replays it, is killed. */
const deaths = [
  'before-dispatch',
  'after-chunk',
  'before-answer',
  'before-settle',
  'after-settle',
  'mid-replay',
] as const

type Death = (typeof deaths)[number]

const clients = { short: 300, long: 1_000 }
const fewClients = 20

export const retries: Drill = {
  name: 'retries',
  requires: 'many retries of one idempotency key over killed gateways: one upstream call, one charge, equal answers',
  async start(world) {
    await addUpstream(world)
    const caller = await world.createClient({ usd: '100' })
    world.noteUnseen(caller.keyId)
    const scene = await shareAnswers(world, caller, 'WEIR_RETRIES_LEASE_MS')
    return async (random, point, { isShort }) => {
      const death = isShort ? random.pick(deaths) : (deaths[point % deaths.length] ?? 'after-chunk')
      // Starting a gateway takes most of the time, so all start at once.
      const [gateways, fatal] = await Promise.all([scene.seats(), scene.startFatal(death)])
      await killBystander(scene, random, { gateways, count: isShort ? clients.short : clients.long })
      await killOwner(scene, random, { survivors: gateways.filter(({ isAlive }) => isAlive), fatal, death })
    }
  },
}

/** One of three gateways dies while their clients wait for the same request, which another one runs. */
async function killBystander(
  scene: SharedAnswers,
  random: Random,
  { gateways, count }: { gateways: readonly ServerProcess[]; count: number },
): Promise<void> {
  const request = await newRequest(scene, random)
  const before = await scene.charges()
  const answers = await killWaiting(scene, random, { gateways, request, clients: count, gate: 'retries' })
  await judge(scene, { answers, before, callsMax: 1 })
}

/** The gateway that runs the request dies; its clients and those of another gateway get one answer. */
async function killOwner(
  scene: SharedAnswers,
  random: Random,
  { survivors, fatal, death }: { survivors: readonly ServerProcess[]; fatal: ServerProcess; death: Death },
): Promise<void> {
  const { world } = scene
  const [survivor] = survivors
  assert.ok(survivor !== undefined, 'a gateway is alive')
  const request = await newRequest(scene, random, { stream: death === 'after-chunk' })
  const before = await scene.charges()
  const isReplay = death === 'mid-replay'
  if (death !== 'after-chunk') await world.simulator.release('retries')
  const gatewayFor: Retried['gatewayFor'] = (attempt) => (attempt === 0 && fatal.isAlive ? fatal : survivor)
  const first = sendUntilAnswered({ ...request, gatewayFor: isReplay ? () => survivor : gatewayFor })
  if (isReplay) await first
  else await until(async () => ((await isRunning(scene)) ? null : 'the fatal gateway has not claimed the key'))
  const others = Array.from({ length: fewClients }, (_, client) =>
    sendUntilAnswered({ ...request, gatewayFor: client % 2 === 0 ? gatewayFor : () => survivor }),
  )
  await fatal.exited
  await world.simulator.release('retries')
  const isRunAgain = death === 'after-chunk' || death === 'before-answer' || death === 'before-settle'
  await judge(scene, { answers: await Promise.all([first, ...others]), before, callsMax: isRunAgain ? 2 : 1 })
}

async function newRequest(
  { world, caller }: SharedAnswers,
  random: Random,
  { stream = random.chance(0.5) } = {},
): Promise<Pick<Retried, 'key' | 'idempotencyKey' | 'body'>> {
  await world.simulator.forget()
  await world.simulator.play(stream ? gatedStream(4, 'retries') : gatedCompletion('retries'))
  const idempotencyKey = `drill-${random.integer(1, 2 ** 48)}`
  return { key: caller.key, idempotencyKey, body: chatBody({ stream }) }
}

async function judge(
  scene: SharedAnswers,
  { answers, before, callsMax }: { answers: readonly string[]; before: number; callsMax: number },
): Promise<void> {
  const { world } = scene
  assert.equal(new Set(answers).size, 1, 'all clients have the same answer')
  assert.ok((await world.simulator.requests()).length <= callsMax, `the upstream was called at most ${callsMax} times`)
  await world.settleDown()
  assert.equal((await scene.charges()) - before, 1, 'the request was charged once')
}

async function isRunning({ world }: SharedAnswers): Promise<boolean> {
  const { rows } = await world.pool.query(`SELECT FROM idempotent_answers WHERE state = 'running'`)
  return rows.length > 0
}
