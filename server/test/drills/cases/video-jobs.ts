import assert from 'node:assert/strict'
import { createClient } from '#test/setup/client.ts'
import { setTimeout as wait } from 'node:timers/promises'
import type { Drill, Pace } from '../drill.ts'
import type { Random } from '../setup/random.ts'
import { readOutcomes, waitForEnds } from '../setup/videos/job-outcomes.ts'
import { judgeVideos, pollVideo } from '../setup/videos/judge-videos.ts'
import { type MortalCrew, startMortalCrew } from '../setup/videos/mortal-crew.ts'
import { orderMany } from '../setup/videos/order-videos.ts'
import { randomScript } from '../setup/videos/random-script.ts'
import { startVideoScene, type VideoScene, videoModels } from '../setup/videos/video-scene.ts'
import { watchDue } from '../setup/videos/watch-due.ts'
import type { World } from '../setup/world.ts'

/** Videos per point: five points are 200 videos, and so are the two points of a short run. */
interface Measure {
  readonly count: number
  readonly kills: number
  readonly deadlineMs: number
  /** The workers' default, or less in a short run. */
  readonly claimMs: number
}

const full: Measure = { count: 40, kills: 24, deadlineMs: 60_000, claimMs: 20_000 }
const short: Measure = { count: 100, kills: 12, deadlineMs: 30_000, claimMs: 4_000 }
const standstillMaxMs = 30_000

/** P5. */
export const videoJobs: Drill = {
  name: 'video-jobs',
  requires:
    'gateways and workers killed again and again at bad hosts: every video ends once, is paid once and is reported',
  hasOwnWorkers: true,
  async start(world) {
    let chance: Random | null = null
    const scene = await startVideoScene(world, (_call, response) => {
      if (chance?.chance(0.05) === true) response.socket?.destroy()
      else response.writeHead(chance?.chance(0.15) === true ? 503 : 204).end()
    })
    const callers = await Promise.all([1, 2, 3].map(() => world.createClient({ usd: '1000' })))
    const keys = new Map(callers.map(({ walletId, key }) => [walletId, key]))
    let crew: MortalCrew | null = null
    return async (random, _point, pace) => {
      chance = random
      const measure = measureFor(pace)
      crew ??= await startMortalCrew(world, environmentOf(scene, measure))
      await storm(world, random, { scene, crew, measure, keys: [...keys.values()] })
      const [gateway] = crew.gateways()
      assert.ok(gateway !== undefined, 'there is a gateway to ask')
      const jobs = await readOutcomes(world.pool)
      for (const { id } of jobs) world.noteUnseen(id)
      await judgeVideos(scene, jobs, ({ id, wallet_id }) => pollVideo(gateway.url, keys.get(wallet_id) ?? '', id))
      await expectContent(gateway.url, keys, jobs)
    }
  },
}

function measureFor({ isShort }: Pace): Measure {
  return isShort ? short : full
}

function environmentOf({ env }: VideoScene, { deadlineMs, claimMs }: Measure): Record<string, string> {
  return { ...env, WEIR_VIDEO_DEADLINE_MS: String(deadlineMs), WEIR_VIDEO_CLAIM_MS: String(claimMs) }
}

async function storm(
  world: World,
  random: Random,
  { scene, crew, measure, keys }: { scene: VideoScene; crew: MortalCrew; measure: Measure; keys: readonly string[] },
): Promise<void> {
  const { count, kills } = measure
  for (const model of videoModels) {
    await scene.hosts[model].playNext(...Array.from({ length: count }, () => randomScript(random)))
  }
  const watch = watchDue(world.pool)
  const moments = Array.from({ length: kills }, () => Promise.withResolvers<void>())
  const ordering = orderMany({
    count,
    // Each order follows one of the kills, so that orders and kills overlap however long a restart takes.
    moment: async () => {
      await random.pick([Promise.resolve(), ...moments.slice(0, -1).map(({ promise }) => promise)])
      await wait(random.integer(0, 400))
    },
    next: () => ({
      gateway: random.shuffle(crew.gateways())[0],
      key: random.pick(keys),
      model: random.pick(videoModels),
      callbackUrl: scene.receiver.url,
    }),
  })
  let killed = 0
  const onKill = (): void => {
    moments[killed]?.resolve()
    killed += 1
  }
  const [ordered] = await Promise.all([ordering, crew.strike(random, { kills, onKill })])
  await waitForEnds(world.pool)
  const { longestMs } = await watch.stop()
  const { rows } = await world.pool.query<{ count: string }>('SELECT count(*) FROM video_jobs WHERE id = ANY ($1)', [
    ordered.map(({ id }) => id),
  ])
  assert.equal(Number(rows[0]?.count), count, 'every order that was answered is a job')
  process.stderr.write(`  video-jobs: no job was put off for more than ${longestMs} ms\n`)
  assert.ok(longestMs <= standstillMaxMs, `a job was put off for ${longestMs} ms`)
}

async function expectContent(
  url: string,
  keys: ReadonlyMap<string, string>,
  jobs: Awaited<ReturnType<typeof readOutcomes>>,
): Promise<void> {
  const completed = jobs.filter(({ state }) => state === 'completed')
  assert.ok(completed.length > 0, 'some videos were made')
  for (const { id, wallet_id } of completed) {
    const path = `/v1/videos/vjob_${id.replaceAll('-', '')}/content`
    const reply = await createClient(url, keys.get(wallet_id)).get(path, { headers: { connection: 'close' } })
    assert.equal(
      reply.status,
      200,
      `${id} can be fetched, and not refused with ${reply.bytes.toString('latin1', 0, 300)}`,
    )
    assert.equal(reply.bytes.toString('latin1', 4, 8), 'ftyp', `${id} is a video`)
  }
}
