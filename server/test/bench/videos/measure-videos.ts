import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Pool } from 'pg'
import { parseCatalogueFile } from '#control/catalogue/parse-catalogue-file.ts'
import { publicJobId } from '#domain/video/job-id.ts'
import { createCatalogueStore } from '#store/postgres/catalogue/catalogue-store.ts'
import { prepareDatabase } from '#store/postgres/schema/prepare-database.ts'
import { startServerProcess } from '#test/drills/setup/server-process.ts'
import { createAccounts } from '#test/setup/accounts.ts'
import { createClient } from '#test/setup/client.ts'
import { buildTree, ownCompileCache } from '../build-tree.ts'
import { startEngines } from '../contenders/private-engines.ts'
import { readCpuUs } from '../process-usage.ts'
import { type BenchSettings, contenderCore } from '../settings.ts'
import { addOpenJobs } from './add-open-jobs.ts'
import { spawnBusyHost } from './spawn-host.ts'
import { type ReadTimes, timeReads } from './time-reads.ts'

/** The work of one worker for many running jobs, and the latency for clients meanwhile. */
export interface VideoFigures {
  readonly open_jobs: number
  readonly polls_per_s: number
  /** The time between two polls of the same job. */
  readonly shortest_gap_ms: number | null
  /** The share of one core. */
  readonly worker_cpu: number
  readonly read_job_ms: ReadTimes
  readonly read_key_ms: ReadTimes
  /** A response without a store access shows the machine's share. */
  readonly read_nothing_ms: ReadTimes
}

const repositoryRoot = fileURLToPath(new URL('../../../..', import.meta.url))
const sqlFolder = join(repositoryRoot, 'server/sql')
const secret = randomBytes(32).toString('base64')
const connections = 4
const film = {
  id: 'acme/film',
  name: 'Film',
  author: 'acme',
  kind: 'video',
  provider: 'luma',
  upstream_model_id: 'ray-3.2',
  input_modalities: ['text'],
  output_modalities: ['video'],
  pricing: { per_second_output: '0.1' },
  video: { supported_durations: [5], supported_aspect_ratios: ['16:9'] },
}

export async function measureVideos(
  { openJobs, warmUpMs, measureMs }: BenchSettings['videos'],
  { scratchFolder, log }: { scratchFolder: string; log: (line: string) => void },
): Promise<VideoFigures> {
  await using cleanup = new AsyncDisposableStack()
  const engines = await startEngines(join(scratchFolder, 'video-engines'))
  cleanup.defer(engines.stop)
  const dataFolder = join(scratchFolder, 'videos')
  mkdirSync(dataFolder, { recursive: true })
  const pool = new Pool({ connectionString: engines.postgresUrl, max: 8 })
  // The pool ends before its last connections; stopping the database may still cut those off.
  pool.on('error', () => {})
  cleanup.defer(() => pool.end())
  await prepareDatabase(pool, sqlFolder)
  const host = await spawnBusyHost()
  cleanup.defer(() => host.stop())
  const caller = await prepareCaller(pool, host.url)
  const program = buildTree(repositoryRoot, join(scratchFolder, 'build'))
  const env = {
    ...ownCompileCache,
    WEIR_SECRET: secret,
    WEIR_HTTP_PORT: '0',
    WEIR_WORKER_PORT: '0',
    WEIR_OPERATING_PUBLIC_PROBES: 'true',
    WEIR_POSTGRES_URL: engines.postgresUrl,
    WEIR_REDIS_URL: engines.redisUrl,
    WEIR_LIMITS_ACCOUNT: '1000000',
  }
  const gateway = await startServerProcess({ command: 'gateway', env, dataFolder, program })
  cleanup.defer(() => gateway.kill())
  await orderOne(gateway.url, caller.key)
  log(`videos: adding ${openJobs} open jobs`)
  const ids = await addOpenJobs(pool, { count: openJobs, secret })
  const worker = await startServerProcess({ command: 'worker', env, dataFolder, program, nodeFlags: profilingFlags() })
  cleanup.defer(async () => void (await worker.terminate()))
  for (const { pid } of [gateway, worker]) {
    execFileSync('taskset', ['-a', '-c', '-p', String(contenderCore), String(pid)], { stdio: 'ignore' })
  }
  await wait(warmUpMs)
  await host.report()
  const [cpuUs, startedMs] = [readCpuUs(worker.pid), performance.now()]
  let turn = 0
  const nextJob = (): string => `/v1/videos/${publicJobId(ids[turn++ % ids.length] ?? '')}`
  const [job, key, nothing] = await timeReads(gateway.url, caller.key, {
    forMs: measureMs,
    connections,
    paths: [nextJob, () => '/v1/key', () => '/health'],
  })
  const seconds = (performance.now() - startedMs) / 1_000
  const worker_cpu = (readCpuUs(worker.pid) - cpuUs) / 1_000_000 / seconds
  const { polls, jobs, shortestGapMs } = await host.report()
  if (job === undefined || key === undefined || nothing === undefined) throw new Error('nothing was read')
  log(`videos: ${jobs} of ${openJobs} jobs were asked about in ${seconds.toFixed(1)} s`)
  return {
    open_jobs: openJobs,
    polls_per_s: Math.round(polls / seconds),
    shortest_gap_ms: shortestGapMs === null ? null : Math.round(shortestGapMs),
    worker_cpu: Number(worker_cpu.toFixed(2)),
    read_job_ms: job,
    read_key_ms: key,
    read_nothing_ms: nothing,
  }
}

/** `WEIR_TEST_PROFILE=<folder>` writes a CPU profile of the worker there. */
function profilingFlags(): string[] {
  const folder = process.env['WEIR_TEST_PROFILE']
  return folder === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', folder]
}

async function prepareCaller(pool: Pool, hostUrl: string): Promise<{ key: string }> {
  const parsed = parseCatalogueFile([film])
  if (!parsed.accepted) throw new Error(`refused: ${JSON.stringify(parsed.problems)}`)
  await createCatalogueStore(pool).import(parsed.rows, Date.now())
  const accounts = createAccounts(pool, { secret, refresh: async () => {} })
  await accounts.addProvider({ vendor: 'luma', url: `${hostUrl}/v1`, pattern: '*' })
  return accounts.createClient({ usd: '1000' })
}

async function orderOne(url: string, key: string): Promise<void> {
  const prompt = 'A weir in the evening light, seen from a boat that drifts towards it. '.repeat(8)
  const reply = await createClient(url, key).post('/v1/videos', { model: film.id, prompt, duration: 5 })
  if (reply.status !== 202) throw new Error(`the order was refused: ${reply.text}`)
}
