import assert from 'node:assert/strict'
import type { TestClient } from '#test/setup/accounts.ts'
import type { Drill } from '../drill.ts'
import { addUpstream } from '../setup/add-upstream.ts'
import { chatBody } from '../setup/chat-body.ts'
import type { Random } from '../setup/random.ts'
import type { ServerProcess } from '../setup/server-process.ts'
import { certificates, startTlsFront } from '../setup/tls-front.ts'
import type { World } from '../setup/world.ts'

const models = { secured: 'openai/gpt-4o-mini', nameless: 'openai/gpt-oss-20b' } as const

export const upstreamUnreachable: Drill = {
  name: 'upstream-unreachable',
  requires:
    'the certificate of an upstream is wrong or its name is not known: the next one answers, without one it is 502 and nothing is charged',
  async start(world) {
    const [second, front] = await Promise.all([
      world.startSimulator(),
      startTlsFront(Number(new URL(world.simulator.url).port)),
    ])
    world.defer(() => front.close())
    await addUpstream(world, { url: front.url, name: 'secured' })
    await addUpstream(world, { url: second.url, name: 'second', priority: 1, vendor: 'together' })
    await addUpstream(world, { url: front.url, name: 'secured-alone', pattern: models.secured })
    await addUpstream(world, { url: 'https://nowhere.invalid', name: 'nameless-alone', pattern: models.nameless })
    const env = { NODE_EXTRA_CA_CERTS: front.authorityFile }
    const gateway = await world.startGateway({ env })
    return async (random) => {
      const scene = { world, gateway, random }
      const caller = await world.createClient()
      for (const kind of random.shuffle(certificates)) {
        front.present(kind)
        await world.simulator.play({ kind: 'echo' })
        await second.play({ kind: 'echo' })
        const isSound = kind === 'sound'
        await proveAlone(scene, { caller, model: models.secured, isSound, what: `a certificate: ${kind}` })
        await proveFailover(scene, { isSound, what: `a certificate: ${kind}` })
      }
      await proveAlone(scene, { caller, model: models.nameless, isSound: false, what: 'an unknown name' })
    }
  },
}

interface Scene {
  readonly world: World
  readonly gateway: ServerProcess
  readonly random: Random
}

async function proveAlone(
  { world, gateway, random }: Scene,
  { caller, model, isSound, what }: { caller: TestClient; model: string; isSound: boolean; what: string },
): Promise<void> {
  const before = await world.walletOf(caller.walletId)
  const seen = await world.call(gateway, caller, chatBody({ model, stream: random.chance(0.5) })).ended
  if (isSound) return assert.equal(seen.status, 200, `${what}: ${seen.text}`)
  assert.deepEqual([seen.status, seen.errorCode], [502, 'upstream_unreachable'], `${what}: ${seen.text}`)
  await world.settleDown()
  assert.deepEqual(await world.walletOf(caller.walletId), before, `${what}: nothing is charged, nothing stays held`)
}

/** A conversation stays with its upstream, so each of these has its own client. */
async function proveFailover({ world, gateway, random }: Scene, { isSound, what }: { isSound: boolean; what: string }) {
  const caller = await world.createClient()
  const seen = await world.call(gateway, caller, chatBody({ stream: random.chance(0.5) })).ended
  assert.equal(seen.status, 200, `${what}: ${seen.text}`)
  assert.ok(seen.costNano !== null && seen.costNano > 0n, `${what}: ${seen.text}`)
  const { rows } = await world.pool.query<{ is_failover: boolean }>(
    'SELECT is_failover FROM generations WHERE id = $1',
    [seen.generationId],
  )
  assert.deepEqual(rows, [{ is_failover: !isSound }], `${what}: the record says who answered`)
}
