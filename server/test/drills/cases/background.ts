import assert from 'node:assert/strict'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { publicResponseId } from '#domain/responses/response-id.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { createClient } from '#test/setup/client.ts'
import type { Drill } from '../drill.ts'
import { addUpstream } from '../setup/add-upstream.ts'
import { gatedCompletion } from '../setup/gated-stream.ts'
import type { ServerProcess } from '../setup/server-process.ts'
import { until } from '../setup/until.ts'
import type { World } from '../setup/world.ts'

/** Where the gateway of the background requests is killed; null while the upstream works on them. */
const deaths = [
  null,
  'mid-response-store',
  'before-dispatch',
  'before-settle',
  'after-settle',
  'before-response-end',
] as const

const requests = 4

export const background: Drill = {
  name: 'background',
  requires: 'a gateway killed with requests in the background: each ends, whole if it was charged and failed if not',
  async start(world) {
    await addUpstream(world)
    const caller = await world.createClient({ usd: '100' })
    world.noteUnseen(caller.keyId)
    const folder = await mkdtemp(join(tmpdir(), 'responses-'))
    const env = {
      WEIR_BLOBS_FOLDER: folder,
      WEIR_RESPONSES_RETENTION_MS: '3600000',
      WEIR_RESPONSES_LEASE_MS: '1500',
    }
    const survivor = await world.startGateway({ env })
    return async (random, point, { isShort }) => {
      const death = isShort ? random.pick(deaths) : (deaths[point % deaths.length] ?? null)
      const armed = death === null ? {} : { WEIR_FAILPOINTS: `${death}=exit@${random.integer(1, requests)}` }
      const fatal = await world.startGateway({ env: { ...env, ...armed } })
      await killWorking(world, { caller, fatal, isKilled: death === null })
      await judge(world, { caller, survivor })
    }
  },
}

/** Sends requests to a gateway that dies at its failpoint, or is killed while they wait for the upstream. */
async function killWorking(
  { simulator }: World,

  { caller, fatal, isKilled }: { caller: TestClient; fatal: ServerProcess; isKilled: boolean },
): Promise<void> {
  await simulator.forget()
  await simulator.play(gatedCompletion('background'))
  const body = { model: 'openai/gpt-5.2', input: 'Hello', max_output_tokens: 64, background: true }
  const client = createClient(fatal.url, caller)
  const sent = Array.from({ length: requests }, async () => {
    // The gateway may die before it answers.
    const reply = await client.post('/v1/responses', body).catch(() => null)
    assert.ok(reply === null || reply.status === 200, reply?.text)
  })
  await Promise.all(sent)
  if (isKilled) {
    await simulator.waitForGate('background')
    await fatal.kill()
  }
  await simulator.release('background')
  await fatal.exited
}

/** Every response has ended for a client of another gateway, and as many are whole as were charged. */
async function judge(
  world: World,
  { caller, survivor }: { caller: TestClient; survivor: ServerProcess },
): Promise<void> {
  const client = createClient(survivor.url, caller)
  const statuses = async (): Promise<unknown[]> => {
    const text = 'SELECT id FROM stored_responses WHERE wallet_id = $1 ORDER BY id'
    const { rows } = await world.pool.query<{ id: string }>(text, [caller.walletId])
    const replies = rows.map(({ id }) => client.get(`/v1/responses/${publicResponseId(id)}`))
    return (await Promise.all(replies)).map(({ status, json }) => (status === 200 ? json.status : status))
  }
  await world.settleDown()
  await until(async () => {
    const unfinished = (await statuses()).filter((status) => status !== 'completed' && status !== 'failed')
    return unfinished.length === 0 ? null : `responses are ${unfinished.join(', ')}`
  })
  const whole = (await statuses()).filter((status) => status === 'completed').length
  const text = `SELECT 1 FROM ledger_transfers WHERE wallet_id = $1 AND kind = 'charge'`
  const { rowCount } = await world.pool.query(text, [caller.walletId])
  assert.equal(whole, rowCount, 'the whole responses are those that were charged')
}
