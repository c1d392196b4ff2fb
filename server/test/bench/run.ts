import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, release, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type CacheFigures, measureCache } from './cache/measure-cache.ts'
import { writeCache } from './cache/write-cache.ts'
import { compareBuilds } from './compare/compare-builds.ts'
import { runCounters } from './counters/measure-counters.ts'
import type { Entry } from './entry.ts'
import { type FirstSecondFigures, measureFirstSecond } from './first-second/measure-first-second.ts'
import { writeFirstSecond } from './first-second/write-first-second.ts'
import { type GrowthFigures, measureGrowth } from './growth/measure-growth.ts'
import { writeGrowth } from './growth/write-growth.ts'
import { runGuard } from './guard/run-guard.ts'
import { phases } from './look.ts'
import { measureGateways } from './measure-gateways.ts'
import { measureOrganizations, type OrganizationRound } from './organizations/measure-organizations.ts'
import { summariseOrganizations } from './organizations/summarise-organizations.ts'
import { writeOrganizations } from './organizations/write-organizations.ts'
import { measureProfiles, writeProfiles } from './profile/measure-profiles.ts'
import { computeRatios } from './ratios.ts'
import { type BenchSettings, fullSettings, loadCore, shortSettings } from './settings.ts'
import { stopRemaining } from './start-process.ts'
import { type ContenderResult, summarise } from './summary.ts'
import { measureTimeline, type TimelineFigures } from './timeline/measure-timeline.ts'
import { writeTimeline } from './timeline/write-timeline.ts'
import { measureUsage, type UsageStage } from './usage/measure-usage.ts'
import { judgeUsage, writeUsage } from './usage/write-usage.ts'
import { measureVideos, type VideoFigures } from './videos/measure-videos.ts'
import { writeVideos } from './videos/write-videos.ts'
import { namedAlone, preparations } from './with-contenders.ts'
import { writeTable } from './write-table.ts'

/**
 * `npm run bench [-- SECTION…] [-- --short] [-- --json] [-- --only CONTENDER,…] [-- --streams COUNT]`: `gateways`
 * compares gateways and relays, `organizations` measures money alone, `videos` measures many running jobs.
 *
 * `npm run bench -- --compare COMMIT` measures the gateway of that commit next to this one, in the same windows,
 * without the other gateways.
 *
 * `npm run bench -- --only weir-processes-1,weir-processes-2,weir-processes-4` compares these numbers of processes that
 * share a port, on all cores.
 *
 * `npm run bench -- guard [--compare COMMIT]` fails if this gateway uses more CPU than the last release, or than that
 * commit. `--planted MICROSECONDS` slows down each request, to prove that the guard fails.
 *
 * `npm run bench -- counters [--record]` fails if a request creates more promises, timers, bytes or calls than the
 * record says; see counters/README.md.
 *
 * `npm run bench -- compare A B` says whether a request takes more CPU in one commit than in another; see
 * compare/README.md.
 *
 * `npm run bench -- growth [--rows COUNT] [--wallets COUNT]` compares the cost of a hold and its settlement for
 * Postgres in a large and a small database, and for as many customers of one wallet.
 *
 * `npm run bench -- profile [--folder FOLDER]` profiles the gateway, path by path, and draws a flame graph of each into
 * the folder.
 *
 * `npm run bench -- timeline [--rate COUNT]` shows where the time of single requests goes at a fixed rate; see
 * timeline/README.md.
 *
 * `npm run bench -- first-second` compares the first second of new gateways with their tenth, with and without warm-up;
 * see first-second/README.md.
 *
 * `npm run bench -- cache` compares the CPU of a request that is relayed with that of a hit of the response cache.
 *
 * `npm run bench -- usage [--rows COUNT] [--folder FOLDER]` measures pages about many requests. This takes minutes and
 * disk space, so it only runs when named. A folder keeps the running database for another time.
 */
const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean' },
    short: { type: 'boolean' },
    only: { type: 'string' },
    compare: { type: 'string' },
    streams: { type: 'string' },
    planted: { type: 'string', default: '0' },
    rows: { type: 'string', default: '2000000' },
    wallets: { type: 'string', default: '1000000' },
    folder: { type: 'string' },
    record: { type: 'boolean' },
    rate: { type: 'string', default: '500' },
  },
})
const usualSections = ['gateways', 'organizations', 'videos'] as const
const sections = [
  ...usualSections,
  'growth',
  'usage',
  'guard',
  'profile',
  'timeline',
  'first-second',
  'cache',
  'counters',
] as const
const log = (line: string) => process.stderr.write(`${line}\n`)

if (positionals[0] === 'compare') await compareCommits(positionals.slice(1))
const chosenSections = positionals[0] === 'compare' ? [] : chooseSections()
if (chosenSections.includes('counters')) await countRequests()
const timedSections = chosenSections.filter((section) => section !== 'counters')
if (timedSections.length > 0) await runBench(chooseSettings(), timedSections)

async function countRequests(): Promise<void> {
  const hasPassed = await runCounters({ isJson: flags.json === true, isRecorded: flags.record === true })
  if (!hasPassed) process.exitCode = 1
}

async function compareCommits([first, second, ...others]: readonly string[]): Promise<void> {
  if (first === undefined || second === undefined || others.length > 0) {
    throw new Error('compare needs two commits: npm run bench -- compare A B')
  }
  await compareBuilds([first, second], { isJson: flags.json === true, log })
}

function chooseSettings(): BenchSettings {
  const usual = flags.short === true ? shortSettings : fullSettings
  return flags.streams === undefined ? usual : { ...usual, openStreams: Number(flags.streams) }
}

/** All sections unless some are named; contenders only apply to the first. */
function chooseSections(): readonly string[] {
  const unknown = positionals.find((name) => sections.every((section) => section !== name))
  if (unknown !== undefined) throw new Error(`no section is called ${unknown}; there are ${sections.join(', ')}`)
  if (positionals.length > 0) return positionals
  return flags.only === undefined && flags.compare === undefined ? usualSections : ['gateways']
}

async function runBench(settings: BenchSettings, chosen: readonly string[]): Promise<void> {
  const loadBefore = loadavg()[0]
  await using cleanup = new AsyncDisposableStack()
  // Runs before this process is pinned to a core: Postgres uses both.
  const usage = chosen.includes('usage') ? await measureUsage(usageSettings(settings), log) : []
  const growth = chosen.includes('growth') ? await measureGrowth(growthSettings(settings)) : null
  pinToLoadCore()
  const scratchFolder = mkdtempSync(join(tmpdir(), 'weir-bench-'))
  // The database runs as another user, who needs access to its folder.
  chmodSync(scratchFolder, 0o755)
  process.on('exit', () => rmSync(scratchFolder, { recursive: true, force: true, maxRetries: 5 }))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))
  cleanup.defer(stopRemaining)
  const hasPassed = chosen.includes('guard')
    ? await runGuard({ scratchFolder, log, commit: flags.compare, plantedUs: Number(flags.planted) })
    : true
  if (chosen.includes('profile')) {
    const folder = flags.folder ?? '.weir/flames'
    process.stdout.write(`${writeProfiles(await measureProfiles(settings.profile, { scratchFolder, folder, log }))}\n`)
  }
  const timelineSettings = { ...settings.timeline, rate: Number(flags.rate) }
  const timeline = chosen.includes('timeline') ? await measureTimeline(timelineSettings, { scratchFolder, log }) : null
  const firstSecond = chosen.includes('first-second')
    ? await measureFirstSecond(settings.firstSecond, { scratchFolder, log })
    : null
  const cache = chosen.includes('cache') ? await measureCache(settings.cache, { scratchFolder, log }) : null
  const entries = chosen.includes('gateways')
    ? await measureGateways({
        settings,
        scratchFolder,
        phases,
        log,
        names: contenderNames(),
        hasMemory: true,
        earlierCommit: flags.compare,
      })
    : []
  const money = chosen.includes('organizations')
    ? await measureOrganizations(settings.money, { scratchFolder, log })
    : []
  const videos = chosen.includes('videos') ? await measureVideos(settings.videos, { scratchFolder, log }) : null
  const machine = { ...describeMachine(), load_average_before: loadBefore, load_average_after: loadavg()[0] }
  report({ entries, money, videos, growth, timeline, firstSecond, cache, usage, machine, windows: settings.windows })
  if (!hasPassed) process.exitCode = 1
}

function growthSettings({ growth }: BenchSettings): Parameters<typeof measureGrowth>[0] {
  return { wallets: Number(flags.wallets), rows: Number(flags.rows), growth, log }
}

function usageSettings({ usage }: BenchSettings): Parameters<typeof measureUsage>[0] {
  return { rows: Number(flags.rows), ...usage, ...(flags.folder === undefined ? {} : { keptFolder: flags.folder }) }
}

/** The references of all comparisons are always included. */
function contenderNames(): string[] {
  const compared = ['bare', 'durable', 'weir', 'weir-earlier']
  const usual = Object.keys(preparations).filter((name) => !namedAlone.includes(name))
  const names = flags.only?.split(',') ?? (flags.compare === undefined ? usual : compared)
  return ['direct', ...names.filter((name) => name !== 'direct')]
}

function report(seen: {
  entries: readonly Entry[]
  money: readonly OrganizationRound[]
  videos: VideoFigures | null
  growth: GrowthFigures | null
  timeline: TimelineFigures | null
  firstSecond: FirstSecondFigures | null
  cache: CacheFigures | null
  usage: readonly UsageStage[]
  machine: object
  windows: number
}): void {
  const { entries, money, videos, growth, timeline, firstSecond, cache, usage, machine, windows } = seen
  const direct = entries.find(({ name }) => name === 'direct')
  const contenders: Record<string, ContenderResult> = {}
  for (const entry of entries) contenders[entry.name] = summarise(entry, direct)
  const organizations = money.length === 0 ? null : summariseOrganizations(money)
  const gatewayRatios = entries.length === 0 ? {} : computeRatios(entries)
  const ratios = { ...gatewayRatios, ...organizations?.ratios }
  if (flags.json === true) {
    const figures = organizations?.figures ?? null
    const found = {
      machine,
      windows,
      contenders,
      organizations: figures,
      videos,
      growth,
      timeline,
      firstSecond,
      cache,
      usage,
      ratios,
    }
    process.stdout.write(`${JSON.stringify(found, null, 2)}\n`)
  } else {
    if (entries.length > 0) process.stdout.write(`${writeTable(contenders, gatewayRatios)}\n`)
    if (organizations !== null) {
      process.stdout.write(`${writeOrganizations(organizations.figures, organizations.ratios)}\n`)
    }
    if (videos !== null) process.stdout.write(`${writeVideos(videos)}\n`)
    if (growth !== null) process.stdout.write(`${writeGrowth(growth)}\n`)
    if (timeline !== null) process.stdout.write(`${writeTimeline(timeline)}\n`)
    if (firstSecond !== null) process.stdout.write(`${writeFirstSecond(firstSecond)}\n`)
    if (cache !== null) process.stdout.write(`${writeCache(cache)}\n`)
    if (usage.length > 0) process.stdout.write(`${writeUsage(usage)}\n${JSON.stringify(judgeUsage(usage))}\n`)
  }
  if (Object.values(contenders).some((result) => 'failed' in result)) process.exitCode = 1
}

/** Load, mock and databases share a core, because child processes inherit the affinity. */
function pinToLoadCore(): void {
  if (availableParallelism() < 2) throw new Error('the bench needs two cores: one to measure, one to measure from')
  execFileSync('taskset', ['-a', '-c', '-p', String(loadCore), String(process.pid)], { stdio: 'ignore' })
}

function describeMachine(): object {
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memory_gb: Math.round(totalmem() / 2 ** 30),
    kernel: release(),
    node: process.version,
  }
}
