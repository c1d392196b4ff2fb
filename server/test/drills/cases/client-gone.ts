import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import type { TestClient } from '#test/setup/accounts.ts'
import type { ControlledSimulator } from '#test/simulators/control-simulator.ts'
import { insertAfterWrites } from '#test/simulators/scenarios/change-steps.ts'
import { goodStream } from '#test/simulators/scenarios/good-stream.ts'
import type { Drill } from '../drill.ts'
import { addUpstream } from '../setup/add-upstream.ts'
import { chatBody } from '../setup/chat-body.ts'
import { type Closings, watchClosings } from '../setup/closings.ts'
import { gatedStream, streamPieces } from '../setup/gated-stream.ts'
import { expectResourcesBack, readResources } from '../setup/process-resources.ts'
import type { Random } from '../setup/random.ts'
import type { ServerProcess } from '../setup/server-process.ts'
import type { World } from '../setup/world.ts'

interface Scene {
  world: World
  gateway: ServerProcess
  caller: TestClient
  random: Random
  how: 'fin' | 'rst'
  closings: Closings
  /** Receives requests whose admission is undecided, so that no other stage sees them. */
  aside: ControlledSimulator
}

const rounds = 3
const asideModel = 'openai/gpt-4o-mini'

export const clientGone: Drill = {
  name: 'client-gone',
  requires:
    'a client that leaves at any stage: the upstream is closed within a second, refunded unless usage had arrived',
  async start(world) {
    const aside = await world.startSimulator()
    await addUpstream(world)
    await addUpstream(world, { url: aside.url, name: 'aside', pattern: asideModel })
    const gateway = await world.startGateway()
    const warm = await world.createClient()
    for (let turn = 0; turn < 20; turn += 1) await world.call(gateway, warm, chatBody({ stream: turn % 2 === 0 })).ended
    const before = await readResources(gateway.pid)
    return async (random) => {
      const closings = watchClosings(world)
      for (let round = 0; round < rounds; round += 1) {
        for (const stage of random.shuffle([leaveBeforeHold, leaveWhileWaiting, leaveMidStream, leaveAfterUsage])) {
          for (const how of random.shuffle(['fin', 'rst'] as const)) {
            // An account that disconnects often is blocked for a while, so each disconnects once.
            await stage({ world, gateway, random, how, closings, aside, caller: await world.createClient() })
          }
        }
      }
      closings.judge()
      await world.settleDown()
      await expectResourcesBack(gateway.pid, before)
    }
  },
}

/** The client disconnects while the body is still in transit, or has just arrived. */
async function leaveBeforeHold({ world, gateway, caller, random, how, aside }: Scene): Promise<void> {
  // The gateway may serve a whole request before it notices; no client has seen its charge.
  world.noteUnseen(caller.keyId)
  const messages = [{ role: 'user', content: `from ${caller.keyId}` }]
  const body = JSON.stringify(chatBody({ stream: true, model: asideModel, messages }))
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
  if (how === 'rst') {
    socket.resetAndDestroy()
  } else {
    // The gateway also closes its side, at any stage of the request.
    socket.end()
    socket.resume()
    await once(socket, 'close')
  }
  await world.settleDown()
  if (sent.length === body.length) return
  const dispatched = (await aside.requests()).filter(({ rawBody }) => rawBody.includes(caller.keyId))
  assert.deepEqual(dispatched, [], 'half a call is not dispatched')
}

async function leaveWhileWaiting(scene: Scene): Promise<void> {
  const { world, gateway, caller, random, how, closings } = scene
  await world.simulator.forget()
  await world.simulator.play({ kind: 'steps', steps: [{ do: 'stall' }] })
  const call = world.call(gateway, caller, chatBody({ stream: random.chance(0.5) }))
  await world.simulator.waitForRequests(1)
  await closings.leave(call, how, 'waiting')
  await expectCharge(scene, 'refunded')
}

async function leaveMidStream(scene: Scene): Promise<void> {
  const { world, gateway, caller, random, how, closings } = scene
  await world.simulator.forget()
  const pieces = random.integer(1, streamPieces.length)
  await world.simulator.play(gatedStream(pieces, `never-${how}`))
  const call = world.call(gateway, caller, chatBody({ stream: true }))
  await call.waitForChunks(pieces)
  await closings.leave(call, how, 'mid-stream')
  await expectCharge(scene, 'refunded')
}

/** All chunks, the finish and the usage have arrived; only the end marker has not. */
async function leaveAfterUsage(scene: Scene): Promise<void> {
  const { world, gateway, caller, how, closings } = scene
  await world.simulator.forget()
  const beforeDone = streamPieces.length + 3
  const open = insertAfterWrites(goodStream({ pieces: streamPieces }), beforeDone, { do: 'gate', name: 'never' })
  // One write up to the gate: a gateway that has relayed the last chunk has also read the usage after it.
  await world.simulator.play({ ...open, wire: { split: { at: [] } } })
  const call = world.call(gateway, caller, chatBody({ stream: true }))
  await call.waitForChunks(streamPieces.length)
  await closings.leave(call, how, 'after usage')
  await expectCharge(scene, 'charged')
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
