import assert from 'node:assert/strict'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseUsd, formatUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { createClient } from '#test/setup/client.ts'
import { jsonLines } from '#test/batches/json-lines.ts'
import type { Drill } from '../drill.ts'
import { addUpstream } from '../setup/add-upstream.ts'
import { chatBody } from '../setup/chat-body.ts'
import type { Random } from '../setup/random.ts'
import type { ServerProcess } from '../setup/server-process.ts'
import { until } from '../setup/until.ts'
import type { World } from '../setup/world.ts'

/** Where a gateway that runs a line is killed. */
const lineDeaths = [
  'batch-line-taken',
  'before-dispatch',
  'before-answer',
  'before-settle',
  'after-settle',
  'batch-line-run',
  'batch-line-answered',
] as const
/** Where a gateway that writes the results is killed. */
const endDeaths = ['batch-finalizing', 'batch-results-written'] as const

const lineCounts = { short: 60, long: 200 }

interface Scene {
  readonly world: World
  readonly caller: TestClient
  /** Serves clients, and runs no batches. */
  readonly door: ServerProcess
  readonly start: (failpoints?: string) => Promise<ServerProcess>
}

export const batches: Drill = {
  name: 'batches',
  requires: 'gateways killed while they run a batch: each line settles once and has one result, and nothing stays held',
  async start(world) {
    await addUpstream(world)
    const caller = await world.createClient({ usd: '1000' })
    world.noteUnseen(caller.keyId)
    const folder = await mkdtemp(join(tmpdir(), 'batches-'))
    const shared = { WEIR_BLOBS_FOLDER: folder }
    const door = await world.startGateway({ env: { ...shared, WEIR_BATCHES_AT_ONCE: '0' } })
    const env = {
      ...shared,
      WEIR_BATCHES_LOOK_EVERY_MS: '20',
      WEIR_BATCHES_TURN_MS: '200',
      WEIR_BATCHES_LEASE_MS: '1000',
      WEIR_RETRIES_LEASE_MS: '1000',
    }
    const start: Scene['start'] = (failpoints) =>
      world.startGateway({ env: failpoints === undefined ? env : { ...env, WEIR_FAILPOINTS: failpoints } })
    return async (random, point, { isShort }) => {
      const scene = { world, caller, door, start }
      const lines = isShort ? lineCounts.short : lineCounts.long
      const deaths = isShort ? random.shuffle(lineDeaths).slice(0, 3) : lineDeaths
      await killRunners(scene, random, { lines, deaths, end: endDeaths[point % endDeaths.length] ?? endDeaths[0] })
    }
  },
}

/** Gateways share a batch in turns, and die one after the other. Another one finishes it. */
async function killRunners(
  scene: Scene,
  random: Random,
  { lines, deaths, end }: { lines: number; deaths: readonly string[]; end: string },
): Promise<void> {
  const { world, start } = scene
  const before = await readCharges(scene)
  const id = await createBatch(scene, lines)
  const failpoints = [...deaths.map((death) => `${death}=exit@${random.integer(1, 5)}`), `${end}=exit`]
  const [bystander, ...mortals] = await Promise.all([
    start(),
    ...failpoints.map((points) => startMortal(start, points)),
  ])
  const threshold = random.integer(1, lines)
  await until(async () => ((await answered(world)) >= threshold ? null : 'the lines of the batch do not run'))
  await bystander.kill()
  await until(async () => {
    const isOver = (await isEnded(scene, id)) || mortals.every((mortal) => mortal === null || !mortal.isAlive)
    return isOver ? null : 'neither has the batch ended nor have all gateways died'
  })
  const survivor = await start()
  await until(async () => ((await isEnded(scene, id)) ? null : 'the batch has not ended'))
  await Promise.all([survivor, ...mortals].map((each) => (each?.isAlive === true ? each.kill() : undefined)))
  await world.settleDown()
  await judge(scene, { id, lines, before })
}

/** Null for a gateway that died before it was ready. */
function startMortal(start: Scene['start'], failpoints: string): Promise<ServerProcess | null> {
  return start(failpoints).catch(() => null)
}

async function createBatch({ door, caller }: Scene, lines: number): Promise<string> {
  const client = createClient(door.url, caller)
  const form = new FormData()
  form.append('purpose', 'batch')
  const content = Array.from({ length: lines }, (_, line) => {
    const request = { custom_id: `line-${line + 1}`, method: 'POST', url: '/v1/chat/completions', body: chatBody() }
    return `${JSON.stringify(request)}\n`
  })
  form.append('file', new Blob(content), 'lines.jsonl')
  const file = await client.post('/v1/files', form)
  assert.equal(file.status, 200, file.text)
  const terms = { input_file_id: file.json.id, endpoint: '/v1/chat/completions', completion_window: '24h' }
  const batch = await client.post('/v1/batches', terms)
  assert.equal(batch.status, 200, batch.text)
  return String(batch.json.id)
}

/** Every line has exactly one result, and the charges are the costs that the results show. */
async function judge(
  scene: Scene,
  { id, lines, before }: { id: string; lines: number; before: Charges },
): Promise<void> {
  const client = createClient(scene.door.url, scene.caller)
  const batch = await client.get(`/v1/batches/${id}`)
  const counts = { total: lines, completed: lines, failed: 0 }
  assert.deepEqual([batch.json.status, batch.json.request_counts], ['completed', counts], batch.text)
  const output = await client.get(`/v1/files/${String(batch.json.output_file_id)}/content`)
  const results = jsonLines(output.text)
  assert.deepEqual(
    results.map(({ custom_id: customId }) => customId),
    Array.from({ length: lines }, (_, line) => `line-${line + 1}`),
  )
  const shown = results.reduce((sum, result) => sum + costOf(result), 0n)
  const after = await readCharges(scene)
  assert.equal(after.count - before.count, lines, 'each line was charged once')
  assert.equal(
    formatUsd(nanoUsd(after.nano - before.nano)),
    formatUsd(nanoUsd(shown)),
    'the charges are the costs shown',
  )
  const { rows } = await scene.world.pool.query('SELECT FROM batch_lines')
  assert.equal(rows.length, 0, 'no line is left')
}

function costOf(result: object): bigint {
  const text = JSON.stringify(result)
  const cost = /"cost":([\d.e-]+)/.exec(text)?.[1]
  assert.ok(cost !== undefined, `a result has a cost: ${text}`)
  return parseUsd(Number(cost).toFixed(9))
}

interface Charges {
  readonly count: number
  readonly nano: bigint
}

async function readCharges({ world, caller }: Scene): Promise<Charges> {
  const text = `SELECT count(*)::integer AS count, coalesce(sum(amount_nano), 0) AS nano
    FROM ledger_transfers WHERE wallet_id = $1 AND kind = 'charge'`
  const { rows } = await world.pool.query<{ count: number; nano: string }>(text, [caller.walletId])
  return { count: rows[0]?.count ?? 0, nano: BigInt(rows[0]?.nano ?? '0') }
}

async function answered({ pool }: World): Promise<number> {
  const { rows } = await pool.query<{ completed: number }>('SELECT completed FROM batches ORDER BY id DESC LIMIT 1')
  return rows[0]?.completed ?? 0
}

async function isEnded({ door, caller }: Scene, id: string): Promise<boolean> {
  const { json } = await createClient(door.url, caller).get(`/v1/batches/${id}`)
  return json.status === 'completed' || json.status === 'failed'
}
