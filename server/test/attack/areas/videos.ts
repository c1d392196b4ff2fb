import { formatUsd, nanoUsd, parseUsd } from '#domain/money/nano-usd.ts'
import { parseJsonObject, stringAt } from '#lib/json.ts'
import { createRandom, type Random } from '#test/drills/setup/random.ts'
import type { ServerProcess } from '#test/drills/setup/server-process.ts'
import { until } from '#test/drills/setup/until.ts'
import { type JobOutcome, readOutcomes, waitForEnds } from '#test/drills/setup/videos/job-outcomes.ts'
import { judgeMoney } from '#test/drills/setup/videos/judge-videos.ts'
import { newPrompt } from '#test/drills/setup/videos/order-videos.ts'
import { startVideoScene, type VideoScene, videoModels } from '#test/drills/setup/videos/video-scene.ts'
import { whatIsBusy } from '#test/drills/setup/what-is-busy.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { ownOrigin } from '#test/setup/own-origin.ts'
import type { VideoScript } from '#test/simulators/media/videos/video-upstream.ts'
import type { Area, Attack } from '../area.ts'
import { judgeBooks } from '../setup/judge-books.ts'
import { endServers } from '../setup/judge-server.ts'
import { send, sendJson } from '../setup/send.ts'
import { sendAndLeave } from '../videos/send-and-leave.ts'
import { watchVideo } from '../videos/watch-video.ts'

// Five seconds at $0.1; a wallet has credit for three videos.
const [videoUsd, walletUsd, fitting] = ['0.5', '1.5', 3]
const [ordersEach, roundsFull, roundsShort] = [8, 12, 1]

/** The tenant's behaviour while its videos are generated. No endpoint cancels a video. */
const habits = ['polls', 'leaves at once', 'deletes its key', 'deletes its account', 'refuses webhooks'] as const
type Habit = (typeof habits)[number]

/** The drill `video-jobs` kills processes at faulty providers; here processes live and the tenants race. */
export const videos: Area = {
  name: 'videos',
  tries: 'videos ordered, polled, fetched and orphaned at once over two gateways and two workers',
  async run(attack) {
    const { world, report, isShort } = attack
    const refusing = new Set<string>()
    const scene = await startVideoScene(world, ({ headers, path }, response) => {
      const id = `${path} ${String(headers['x-webhook-id'])}`
      const isFirst = path.includes('refuse') && refusing.size < refusing.add(id).size
      response.writeHead(isFirst ? 503 : 204).end()
    })
    // Another worker could not reach providers on loopback and would fail their videos.
    await Promise.all(world.workers.filter(({ isAlive }) => isAlive).map((worker) => world.endGateway(worker)))
    const env = { ...scene.env, WEIR_VIDEO_POLL_EVERY_MS: '100' }
    const gateways = await Promise.all([1, 2].map(() => world.startGatewayWith(env)))
    const workers = await Promise.all([1, 2].map(() => world.startWorker({ env })))
    const tenants: TestClient[] = []
    for (let round = 0; round < (isShort ? roundsShort : roundsFull); round += 1) {
      const chosen = habits.filter((habit) => report.attempt(`round ${round + 1}: a tenant that ${habit}`))
      const random = createRandom(attack.random.integer(0, 2 ** 31))
      await playHosts(scene, random)
      const found = await Promise.all(chosen.map((habit) => race(attack, { scene, gateways, random, habit })))
      tenants.push(...found)
    }
    const jobs = await judgeTenants(attack, tenants)
    await judgeBooks(attack)
    await endServers(attack, [...gateways, ...workers])
    await world.startWorker()
    const charged = jobs.filter(({ charges }) => charges > 0).length
    report.figure(`${jobs.length} videos: ${charged} charged, ${jobs.length - charged} refunded`)
  },
}

interface Race {
  readonly scene: VideoScene
  readonly gateways: readonly ServerProcess[]
  readonly random: Random
  readonly habit: Habit
}

async function playHosts({ hosts }: VideoScene, random: Random): Promise<void> {
  const scripts = Array.from({ length: habits.length * fitting }, () => scriptBy(random))
  for (const model of videoModels) await hosts[model].playNext(...scripts)
}

function scriptBy(random: Random): Partial<VideoScript> {
  const isMade = random.chance(0.6)
  return {
    pendingPolls: random.integer(0, 1),
    workingPolls: random.integer(0, 3),
    end: isMade ? { kind: 'made', count: 1 } : random.pick([{ kind: 'failed', message: 'No.' }, { kind: 'moderated' }]),
  }
}

/** Orders more videos than the wallet can pay, all at once over both gateways, and then follows the habit for each. */
async function race(attack: Attack, { scene, gateways, random, habit }: Race): Promise<TestClient> {
  const { world, report } = attack
  const tenant = await world.createClient({ usd: walletUsd })
  // No client of `world.call` sees the cost of its videos.
  world.noteUnseen(tenant.keyId)
  const label = `a tenant that ${habit}`
  let isGone = false
  const cookie = await world.signIn(tenant.userId)
  const disappear = async (): Promise<void> => {
    isGone = true
    const { status, text } = await removeFor(attack, { habit, tenant, gateway: random.pick(gateways), cookie })
    report.judge({ label, isRight: status === 204, expected: '204', got: `${status} ${text}` })
  }
  const orderOne = async (gateway: ServerProcess): Promise<void> => {
    const hook = `${scene.receiver.url}/${habit === 'refuses webhooks' ? 'refuse' : 'take'}`
    const prompt = newPrompt()
    const body = {
      model: random.pick(videoModels),
      prompt,
      duration: 5,
      callback_url: `${hook}?order=${encodeURIComponent(prompt)}`,
    }
    const headers = { authorization: `Bearer ${tenant.key}` }
    if (habit === 'leaves at once') return sendAndLeave(`${gateway.url}/v1/videos`, headers, body)
    const { status, text } = await sendJson(`${gateway.url}/v1/videos`, { method: 'POST', headers, body })
    if (status === 402 || (status === 401 && isGone)) return
    if (status !== 202) return report.find({ label, expected: '202 or 402', got: `${status} ${text}` })
    if (habit.startsWith('deletes') && !isGone) await disappear()
    const publicId = stringAt(parseJsonObject(text) ?? {}, 'id') ?? ''
    const faults = await watchVideo(gateways, { publicId, key: tenant.key, isGone: () => isGone })
    for (const got of faults) report.find({ label: `${label}: ${publicId}`, expected: 'one end that stays', got })
  }
  const orders = Array.from({ length: ordersEach }, (_, turn) => gateways[turn % gateways.length])
  await Promise.all(orders.map(async (gateway) => gateway === undefined || orderOne(gateway)))
  return tenant
}

async function removeFor(
  { world }: Attack,
  { habit, tenant, gateway, cookie }: { habit: Habit; tenant: TestClient; gateway: ServerProcess; cookie: string },
): Promise<{ status: number; text: string }> {
  const headers = { cookie, origin: ownOrigin }
  if (habit === 'deletes its key') {
    return send(`${gateway.url}/v1/keys/${tenant.keyId}`, { method: 'DELETE', headers })
  }
  const { rows } = await world.pool.query<{ email: string }>('SELECT email FROM users WHERE id = $1', [tenant.userId])
  const body = { email: rows[0]?.email ?? '' }
  return sendJson(`${gateway.url}/api/account/delete`, { method: 'POST', headers, body })
}

/** Every video was charged once or refunded, and each wallet lost exactly the cost of its videos. */
async function judgeTenants({ world, report }: Attack, tenants: readonly TestClient[]): Promise<JobOutcome[]> {
  const walletIds = tenants.map(({ walletId }) => walletId)
  // The order of a disconnected client may still be in progress.
  await until(() => whatIsBusy(world.gateways))
  await waitForEnds(world.pool, walletIds)
  const jobs = await readOutcomes(world.pool, walletIds)
  for (const job of jobs) {
    try {
      judgeMoney(job)
    } catch (error) {
      report.find({ label: `video ${job.id}`, expected: 'one charge or one refund', got: String(error) })
    }
  }
  for (const { walletId } of tenants) {
    const own = jobs.filter((job) => job.wallet_id === walletId)
    const cost = own.reduce((sum, job) => sum + BigInt(job.cost_nano ?? 0), 0n)
    const { balance, held } = await world.walletOf(walletId)
    const left = formatUsd(nanoUsd(parseUsd(walletUsd) - cost))
    report.judge({
      label: `wallet ${walletId}`,
      isRight: balance === left && held === '0' && cost === parseUsd(videoUsd) * BigInt(chargedOf(own)),
      expected: `$${left} for ${chargedOf(own)} videos, nothing held`,
      got: `$${balance}, $${held} held`,
    })
  }
  return jobs
}

function chargedOf(jobs: readonly JobOutcome[]): number {
  return jobs.filter(({ state }) => state === 'completed').length
}
