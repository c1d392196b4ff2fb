import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Entry } from '../entry.ts'
import { runClosedLoop } from '../load.ts'
import { probeBurst, probeContender } from '../probe-contender.ts'
import { concurrency } from '../settings.ts'
import { withContenders } from '../with-contenders.ts'
import { buildFrames, sharesOf } from './cpu-profile.ts'
import { drawFlames } from './draw-flames.ts'
import { mapSources } from './map-sources.ts'

interface ProfileSettings {
  readonly warmUpMs: number
  readonly measureMs: number
}

interface Path {
  /** The file of the graph. */
  readonly file: string
  readonly title: string
  readonly contender: string
  readonly isStream: boolean
}

const paths: readonly Path[] = [
  { file: 'json', title: 'A chat as JSON', contender: 'weir', isStream: false },
  { file: 'stream', title: 'A chat as a stream of 50 chunks', contender: 'weir', isStream: true },
  {
    file: 'messages',
    title: 'Messages as a stream, from an upstream that speaks as OpenAI',
    contender: 'weir-messages',
    isStream: true,
  },
  {
    file: 'anthropic',
    title: 'A chat as a stream, from an upstream that speaks as Anthropic',
    contender: 'weir-anthropic',
    isStream: true,
  },
]

interface PathProfile {
  readonly title: string
  readonly file: string
  readonly shares: readonly { part: string; share: number }[]
}

/** Profiles the gateway under load, path by path, each in a fresh process, and draws flame graphs. */
export async function measureProfiles(
  { warmUpMs, measureMs }: ProfileSettings,
  { scratchFolder, folder, log }: { scratchFolder: string; folder: string; log: (line: string) => void },
): Promise<PathProfile[]> {
  const profileFile = join(scratchFolder, 'gateway.cpuprofile')
  mkdirSync(folder, { recursive: true })
  const names = [...new Set(paths.map(({ contender }) => contender))]
  return withContenders({ scratchFolder, log, names, profileFile }, async (entries) => {
    const found: PathProfile[] = []
    for (const path of paths) {
      log(`profile: ${path.title}`)
      const profiled = await profilePath(path, entries, { warmUpMs, measureMs, profileFile })
      const frames = buildFrames(mapSources(JSON.parse(profiled)))
      const file = join(folder, `flames-${path.file}.svg`)
      writeFileSync(file, drawFlames(frames, path.title))
      found.push({ title: path.title, file, shares: sharesOf(frames) })
    }
    return found
  })
}

async function profilePath(
  { contender: name, isStream }: Path,
  entries: readonly Entry[],
  { warmUpMs, measureMs, profileFile }: ProfileSettings & { profileFile: string },
): Promise<string> {
  const contender = entries.find((entry) => entry.name === name)?.contender
  if (contender === undefined || contender === null) throw new Error(`${name} cannot run here`)
  rmSync(profileFile, { force: true })
  const running = await contender.start()
  if (running.pid === null) throw new Error(`${name} has no process of its own`)
  try {
    const target = isStream ? await probeBurst(running) : (await probeContender(running)).json
    await runClosedLoop(target, { concurrency, durationMs: warmUpMs })
    process.kill(running.pid, 'SIGUSR2')
    await runClosedLoop(target, { concurrency, durationMs: measureMs })
    process.kill(running.pid, 'SIGUSR2')
    while (!existsSync(profileFile)) await sleep(50)
  } finally {
    // It exits once the profile is written.
    await running.stop()
  }
  return readFileSync(profileFile, 'utf8')
}

/** Smaller parts are summed up. */
const shareMin = 0.01

export function writeProfiles(profiles: readonly PathProfile[]): string {
  return profiles.map(writeProfile).join('\n\n')
}

function writeProfile({ title, file, shares }: PathProfile): string {
  const large = shares.filter(({ share }) => share >= shareMin)
  const rest = 1 - large.reduce((sum, { share }) => sum + share, 0)
  const lines = [...large, { part: 'all others', share: rest }].map(
    ({ part, share }) => `${(share * 100).toFixed(1).padStart(6)}%  ${part}`,
  )
  return [`${title} (${file})`, ...lines].join('\n')
}
