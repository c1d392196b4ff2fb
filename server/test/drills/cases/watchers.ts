import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { cpuMsOf } from '#test/attack/setup/cpu-of.ts'
import { testSecret } from '#test/setup/gateway.ts'
import { createTestSignIn } from '#test/setup/sign-in.ts'
import type { Drill } from '../drill.ts'
import { addUpstream } from '../setup/add-upstream.ts'
import { chatBody } from '../setup/chat-body.ts'
import type { ServerProcess } from '../setup/server-process.ts'
import { until } from '../setup/until.ts'
import type { World } from '../setup/world.ts'

const watchersCount = 2_000
/** Their share of a core, as the gateway's CPU over the seconds that it was used in. */
const shareMax = 0.05
/** A little longer than the 60 rounds after which a session is checked, so that each window has all checks once. */
const windowMs = 66_000
const paidPerSecond = 5
const openedAtOnce = 25

export const watchers: Drill = {
  name: 'watchers',
  requires: `${watchersCount} open streams of wallet figures, each of another wallet, take less than ${shareMax * 100} % of a core`,
  alone: true,
  long: true,
  async start(world) {
    await addUpstream(world)
    const gateway = await world.startGateway()
    const clients: Client[] = []
    for (let count = 0; count < watchersCount; count += 1) clients.push(await createWatchingClient(world))
    const told: string[] = []
    world.tell(() => told)
    return async () => {
      const scene = { world, gateway, clients }
      await measure(scene)
      const unwatched = await measure(scene)
      const streams = await openStreams(gateway, clients)
      const watched = await measure(scene)
      const moved = streams.events() - watchersCount
      streams.close()
      const share = Math.max(0, watched - unwatched)
      told.push(
        `${paidPerSecond} paid requests a second: ${percent(unwatched)} of a core, with ${watchersCount} watchers ${percent(watched)}; ${moved} changes told`,
      )
      assert.equal(streams.broken(), 0, 'no stream ended')
      assert.ok(moved >= paidPerSecond, `watchers see charges: ${moved} events after the first`)
      assert.ok(share < shareMax, `${watchersCount} watchers take ${percent(share)} of a core`)
      await world.settleDown()
    }
  },
}

interface Client {
  readonly key: string
  readonly walletId: string
  /** Of the session that watches. */
  readonly cookie: string
}

interface Scene {
  readonly world: World
  readonly gateway: ServerProcess
  readonly clients: readonly Client[]
}

async function createWatchingClient(world: World): Promise<Client> {
  const { userId, walletId, key } = await world.createClient()
  // As in a browser: a session costs more to check than a key.
  const cookie = await createTestSignIn(world.pool, { secret: testSecret }).signIn(userId)
  return { key, walletId, cookie }
}

/** The share of a core that the gateway uses while a few wallets pay. */
async function measure({ world, gateway, clients }: Scene): Promise<number> {
  const begunAtMs = performance.now()
  const before = await cpuMsOf(gateway.pid)
  const paid: Promise<unknown>[] = []
  for (let turn = 0; performance.now() - begunAtMs < windowMs; turn += 1) {
    const payer = clients[turn % clients.length]
    assert.ok(payer !== undefined)
    paid.push(world.call(gateway, payer, chatBody()).ended)
    await wait(1_000 / paidPerSecond)
  }
  await Promise.all(paid)
  return ((await cpuMsOf(gateway.pid)) - before) / (performance.now() - begunAtMs)
}

interface Streams {
  readonly events: () => number
  readonly broken: () => number
  readonly close: () => void
}

async function openStreams({ url }: ServerProcess, clients: readonly Client[]): Promise<Streams> {
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY })
  let [events, broken, isClosing] = [0, 0, false]
  const fail = (): void => {
    if (!isClosing) broken += 1
  }
  const open = ({ walletId, cookie }: Client): void => {
    const headers = { cookie, accept: 'text/event-stream' }
    request(`${url}/api/wallets/${walletId}/events`, { agent, headers }, (response) => {
      if (response.statusCode !== 200) fail()
      response.setEncoding('utf8').on('data', (text: string) => {
        events += text.split('event: wallet\n').length - 1
      })
      response.on('error', fail).on('end', fail)
    })
      .on('error', fail)
      .end()
  }
  // Not all at once, which a gateway may refuse.
  for (const [index, client] of clients.entries()) {
    open(client)
    if (index % openedAtOnce === 0) await until(async () => (events > index ? null : `${events} streams have begun`))
  }
  await until(async () => (events >= clients.length ? null : `${events} of ${clients.length} streams have begun`))
  return {
    events: () => events,
    broken: () => broken,
    close: () => {
      isClosing = true
      agent.destroy()
    },
  }
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}
