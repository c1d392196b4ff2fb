import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { TestCaller } from '#test/setup/accounts.ts'
import { insertAfterWrites } from '#test/simulators/scenarios/change-steps.ts'
import { goodStream } from '#test/simulators/scenarios/good-stream.ts'
import type { Drill } from '../drill.ts'
import { addUpstream } from '../setup/add-upstream.ts'
import { chatBody } from '../setup/chat-body.ts'
import { gatedStream, streamPieces } from '../setup/gated-stream.ts'
import { expectResourcesBack, readResources } from '../setup/process-resources.ts'
import type { Random } from '../setup/random.ts'
import type { ServerProcess } from '../setup/server-process.ts'
import type { World } from '../setup/world.ts'

interface Scene {
  world: World
  gateway: ServerProcess
  caller: TestCaller
  random: Random
  how: 'fin' | 'rst'
}

const closeWithinMs = 1_000
const rounds = 3

export const clientGone: Drill = {
  name: 'client-gone',
  requires:
    'a client that leaves at any stage: the upstream is closed within a second, refunded unless usage had arrived',
  async start(world) {
    await addUpstream(world)
    const gateway = await world.startGateway()
    const warm = await world.createCaller()
    for (let turn = 0; turn < 20; turn += 1) await world.call(gateway, warm, chatBody({ stream: turn % 2 === 0 })).ended
    const before = await readResources(gateway.pid)
    return async (random) => {
      for (let round = 0; round < rounds; round += 1) {
        for (const stage of random.shuffle([leaveBeforeHold, leaveWhileWaiting, leaveMidStream, leaveAfterUsage])) {
          for (const how of random.shuffle(['fin', 'rst'] as const)) {
            // Whoever leaves often is blocked for a while, so every leaver is somebody else.
            await stage({ world, gateway, random, how, caller: await world.createCaller() })
          }
        }
      }
      await world.settleDown()
      await expectResourcesBack(gateway.pid, before)
    }
  },
}

/** The body is still on its way, or has just arrived. */
async function leaveBeforeHold({ world, gateway, caller, random, how }: Scene): Promise<void> {
  await world.simulator.forget()
  await world.simulator.play(goodStream({}))
  const body = JSON.stringify(chatBody({ stream: true }))
  const sent = random.chance(0.5) ? body.slice(0, random.integer(0, body.length - 1)) : body
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.on('error', () => {})
  await new Promise<void>((resolve) => {
    socket.write(
      `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${caller.key}\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${sent}`,
      () => resolve(),
    )
  })
  if (how === 'rst') socket.resetAndDestroy()
  else socket.end()
  await wait(100)
  socket.destroy()
  if (sent.length < body.length)
    assert.equal((await world.simulator.requests()).length, 0, 'half a call is not dispatched')
  await world.settleDown()
  // A whole call may have been served before anybody noticed; its charge has no witness, which is what this removes.
  await forgetUnseen(world, caller)
}

async function leaveWhileWaiting(scene: Scene): Promise<void> {
  const { world, gateway, caller, random, how } = scene
  await world.simulator.forget()
  await world.simulator.play({ kind: 'steps', steps: [{ do: 'stall' }] })
  const call = world.call(gateway, caller, chatBody({ stream: random.chance(0.5) }))
  await world.simulator.waitForRequests(1)
  call.leave(how)
  await expectUpstreamClosed(world, `waiting, ${how}`)
  await expectCharge(scene, 'refunded')
}

async function leaveMidStream(scene: Scene): Promise<void> {
  const { world, gateway, caller, random, how } = scene
  await world.simulator.forget()
  const pieces = random.integer(1, streamPieces.length)
  await world.simulator.play(gatedStream(pieces, `never-${how}`))
  const call = world.call(gateway, caller, chatBody({ stream: true }))
  await call.waitForChunks(pieces)
  call.leave(how)
  await expectUpstreamClosed(world, `mid-stream, ${how}`)
  await expectCharge(scene, 'refunded')
}

/** All pieces, the finish and the usage are here; only the end is not. */
async function leaveAfterUsage(scene: Scene): Promise<void> {
  const { world, gateway, caller, how } = scene
  await world.simulator.forget()
  const beforeDone = streamPieces.length + 3
  const open = insertAfterWrites(goodStream({ pieces: streamPieces }), beforeDone, { do: 'gate', name: 'never' })
  await world.simulator.play(open)
  const call = world.call(gateway, caller, chatBody({ stream: true }))
  await call.waitForChunks(streamPieces.length)
  await world.simulator.waitForGate('never')
  // The usage left the upstream before its gate was reached; this is for its way to the gateway.
  await wait(50)
  call.leave(how)
  await expectUpstreamClosed(world, `after usage, ${how}`)
  await expectCharge(scene, 'charged')
}

/** I6. */
async function expectUpstreamClosed(world: World, stage: string): Promise<void> {
  const closed = world.simulator.waitForAbort(0).then(() => true)
  const inTime = await Promise.race([closed, wait(closeWithinMs, false)])
  assert.ok(inTime, `I6: ${stage}: the upstream was still open after ${closeWithinMs} ms`)
}

async function expectCharge({ world, caller, how }: Scene, expected: 'refunded' | 'charged'): Promise<void> {
  await world.settleDown()
  const { rows } = await world.pool.query<{ cost_nano: string; cancelled: boolean; refund_reason: string | null }>(
    'SELECT cost_nano, cancelled, refund_reason FROM generations WHERE key_id = $1',
    [caller.keyId],
  )
  const [row] = rows
  assert.equal(rows.length, 1, `one record of the call that was left with ${how}`)
  assert.equal(BigInt(row?.cost_nano ?? 0) > 0n ? 'charged' : 'refunded', expected, JSON.stringify(row))
  assert.equal(row?.cancelled, true, 'the record says that the client left')
}

async function forgetUnseen(world: World, caller: TestCaller): Promise<void> {
  const { rows } = await world.pool.query<{ id: string }>('SELECT id FROM generations WHERE key_id = $1', [
    caller.keyId,
  ])
  for (const { id } of rows) world.noteUnseen(id)
}
