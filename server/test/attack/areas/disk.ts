import { canMount, createSmallDisk, type SmallDisk } from '#test/drills/setup/small-disk.ts'
import type { ServerProcess } from '#test/drills/setup/server-process.ts'
import { recordingForm } from '#test/media/audio/recording-form.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import type { Area, Attack } from '../area.ts'
import { type Answer, send, sendJson } from '../setup/send.ts'

const megabytes = 8
// More uploads than the disk can hold, each of a size that would fit.
const [uploads, uploadBytes] = [12, 1_500_000]
const calls = 20
/** `#usage` of each request: a thousand tokens at a dollar per million. */
const costNano = 1_000_000n

/** A full disk of a gateway, filled by uploads or another program, must not cost anyone money. */
export const disk: Area = {
  name: 'disk',
  tries: 'calls and uploads at a gateway whose own disk is full, and again once it has room',
  async run(attack) {
    const { world, report } = attack
    if (!(await canMount())) return report.figure('left out, because mounting needs root')
    const small = await createSmallDisk(megabytes)
    try {
      const gateway = await world.startGatewayWith({ WEIR_DATA_DIR: small.folder })
      const caller = await world.createClient()
      world.noteUnseen(caller.keyId)
      await tryFull(attack, small, { gateway, caller })
      await world.endGateway(gateway)
    } finally {
      await small.remove()
    }
  },
}

interface Scene {
  readonly gateway: ServerProcess
  readonly caller: TestClient
}

async function tryFull(attack: Attack, small: SmallDisk, scene: Scene): Promise<void> {
  await tryCalls(attack, scene, 'with room')
  await tryUploads(attack, scene, { when: 'more uploads at once than the disk has room for', statuses: [200, 503] })
  await tryUploads(attack, scene, { when: 'uploads after those', statuses: [200], count: 2 })
  await small.fill()
  await tryCalls(attack, scene, 'on a full disk')
  await tryUploads(attack, scene, { when: 'uploads on a full disk', statuses: [503] })
  const left = await chargedTo(attack, scene.caller)
  await small.empty()
  await tryCalls(attack, scene, 'once there is room again')
  await tryUploads(attack, scene, { when: 'uploads once there is room again', statuses: [200], count: 2 })
  attack.report.figure(`${left.count} calls charged exactly, none of them twice`)
}

/** Each request is served and charged its cost exactly once. */
async function tryCalls(attack: Attack, scene: Scene, when: string): Promise<void> {
  const { gateway, caller } = scene
  const label = `${calls} calls ${when}`
  if (!attack.report.attempt(label)) return
  const before = await chargedTo(attack, caller)
  const headers = { authorization: `Bearer ${caller.key}` }
  const body = { model: 'test/priced', messages: [{ role: 'user', content: '#usage=1000,0' }], max_tokens: 16 }
  const answers = await Promise.all(
    Array.from({ length: calls }, () =>
      sendJson(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers, body }),
    ),
  )
  await attack.world.settleDown()
  const after = await chargedTo(attack, caller)
  const served = answers.filter(({ status }) => status === 200).length
  const charged = { count: after.count - before.count, nano: after.nano - before.nano }
  const isRight = served === calls && charged.count === calls && charged.nano === costNano * BigInt(calls)
  if (isRight) return
  const sums = `${served} served, ${charged.count} charged with ${charged.nano} nano-dollars`
  const got = `${sums}: ${answers[0]?.text.slice(0, 200)}`
  attack.report.find({ label, expected: `${calls} served and charged ${costNano} nano-dollars each`, got })
}

/** A form without disk space is rejected before any model request, and leaves nothing behind. */
async function tryUploads(
  { report }: Attack,
  { gateway, caller }: Scene,
  { when, statuses, count = uploads }: { when: string; statuses: readonly number[]; count?: number },
): Promise<void> {
  if (!report.attempt(when)) return
  const answers = await Promise.all(Array.from({ length: count }, () => upload(gateway, caller)))
  const odd = answers.filter(({ status, headers }) => {
    return !statuses.includes(status) || (status === 503 && headers['retry-after'] === undefined)
  })
  if (odd.length === 0) return
  const got = `${odd.length} of ${count}: ${odd[0]?.status} ${odd[0]?.text.slice(0, 300)}`
  report.find({ label: when, expected: statuses.join(' or '), got })
}

async function upload({ url }: ServerProcess, { key }: TestClient): Promise<Answer> {
  const form = new Response(recordingForm({ model: 'test/transcription' }, { bytes: Buffer.alloc(uploadBytes) }))
  const headers = { authorization: `Bearer ${key}`, 'content-type': form.headers.get('content-type') ?? '' }
  const body = Buffer.from(await form.arrayBuffer())
  return send(`${url}/v1/audio/transcriptions`, { method: 'POST', headers, body })
}

async function chargedTo({ world }: Attack, { walletId }: TestClient): Promise<{ count: number; nano: bigint }> {
  const text = `SELECT count(*) AS count, coalesce(sum(cost_nano), 0) AS nano FROM generations
    WHERE wallet_id = $1 AND cost_nano > 0`
  const { rows } = await world.pool.query<{ count: string; nano: string }>(text, [walletId])
  return { count: Number(rows[0]?.count ?? 0), nano: BigInt(rows[0]?.nano ?? 0) }
}
