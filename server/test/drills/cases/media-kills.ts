import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestClient } from '#test/setup/accounts.ts'
import type { Drill } from '../drill.ts'
import { gatedAnswer, wholeAnswer } from '../setup/media-answers.ts'
import { addMediaUpstream, type MediaCall, mediaCalls } from '../setup/media-calls.ts'
import { sendHalf } from '../setup/send-half.ts'
import { until } from '../setup/until.ts'
import type { World } from '../setup/world.ts'

interface Scene {
  world: World
  caller: TestClient
  call: MediaCall
  gate: string
}

export const mediaKills: Drill = {
  name: 'media-kills',
  requires:
    'killed while an upload comes in, while the upstream works, or before the settle: all comes back; after it: charged once',
  async start(world) {
    await addMediaUpstream(world)
    return async (random, point) => {
      // Every kill needs its own gateway, which is slow to start: two at each point.
      const kills = point % 2 === 1 ? [killReceiving, killBeforeSettle] : [killWorking, killAfterSettle]
      for (const kill of kills) {
        const isForm = kill === killReceiving
        const call = random.pick(mediaCalls.filter(({ body }) => !isForm || 'open' in body))
        const caller = await world.createClient()
        await world.simulator.forget()
        await kill({ world, caller, call, gate: `${kill.name}-${point}` })
      }
    }
  },
}

/**
 * The received files of the dead process are orphans until the next start finds them old enough; nothing else stays.
 */
async function killReceiving({ world, caller, call }: Scene): Promise<void> {
  const gateway = await world.startGateway()
  const socket = await sendHalf(gateway.url, caller.key, call)
  const uploads = join(gateway.dataFolder, 'uploads')
  await until(async () => ((await readdir(uploads)).length > 0 ? null : 'the upload has not begun'))
  await gateway.kill()
  socket.destroy()
  await expectWallet({ world, caller, call }, 0)
}

async function killWorking({ world, caller, call, gate }: Scene): Promise<void> {
  const gateway = await world.startGateway()
  await world.simulator.play(gatedAnswer(gate, call.answer.text, call.answer.type))
  const waiting = world.call(gateway, caller, call.body, call.path)
  await world.simulator.waitForRequests(1)
  assert.notEqual((await world.walletOf(caller.walletId)).held, '0', `${call.what} has a hold`)
  await gateway.kill()
  assert.equal((await waiting.ended).end, 'broken')
  await expectWallet({ world, caller, call }, 0)
}

async function killBeforeSettle(scene: Scene): Promise<void> {
  await callUntil(scene, 'before-settle=exit')
  await expectWallet(scene, 0)
}

async function killAfterSettle(scene: Scene): Promise<void> {
  await callUntil(scene, 'after-settle=exit')
  await expectWallet(scene, 1)
}

async function callUntil({ world, caller, call }: Scene, failpoint: string): Promise<void> {
  const gateway = await world.startGateway({ env: { WEIR_FAILPOINTS: failpoint } })
  await world.simulator.play(wholeAnswer(call.answer.text, call.answer.type))
  const seen = await world.call(gateway, caller, call.body, call.path).ended
  await gateway.exited
  assert.deepEqual([seen.end, seen.costNano], ['broken', null], `${call.what}: no cost was shown`)
}

async function expectWallet({ world, caller, call }: Omit<Scene, 'gate'>, charges: number): Promise<void> {
  await world.settleDown()
  assert.equal((await world.walletOf(caller.walletId)).held, '0', call.what)
  const { rows } = await world.pool.query<{ cost_nano: string }>(
    'SELECT cost_nano FROM generations WHERE key_id = $1',
    [caller.keyId],
  )
  const charged = rows.filter(({ cost_nano }) => BigInt(cost_nano) > 0n)
  assert.equal(charged.length, charges, `${call.what}: ${JSON.stringify(rows)}`)
}
