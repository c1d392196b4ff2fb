import { createRandom, seedFor } from '#test/drills/setup/random.ts'
import { formatSeconds } from '#test/drills/lanes/format-seconds.ts'
import type { Area } from '../area.ts'
import type { AttackWorld } from './attack-world.ts'
import { judgeServer, type ServerJudging } from './judge-server.ts'
import { createReport, type Finding, type Report } from './report.ts'

interface RunOptions {
  readonly seed: number
  readonly isShort: boolean
  /** Only attempts whose label contains this string run. */
  readonly only: string | null
  say(line: string): void
}

// Showing more would hide the first finding.
const findingsShown = 25

/** Runs one area and prints its findings and how to reproduce them. */
export async function runArea(
  area: Area,
  world: AttackWorld,
  options: RunOptions,
): Promise<{ tried: number; found: number }> {
  const { seed, isShort, only, say } = options
  const startedAtMs = Date.now()
  say(`      ${area.name.padEnd(12)} ${area.tries}`)
  const report = createReport({
    only,
    onProgress: (tried) =>
      say(`      ${area.name.padEnd(12)} ${tried.toLocaleString('en')} tried, ${formatSeconds(startedAtMs)}`),
  })
  try {
    await area.run({ world, report, random: createRandom(seedFor(seed, area.name)), isShort })
  } catch (error) {
    const got = error instanceof Error ? (error.stack ?? error.message) : String(error)
    report.find({ label: area.name, expected: 'to run to its end', got })
  }
  await judgeServers(world, report, { alarm: area.alarm ?? null, sinceMs: startedAtMs })
  const { tried, findings, figures } = report
  const word = findings.length === 0 ? 'ok' : 'FAIL'
  const sums = `${tried.toLocaleString('en').padStart(7)} tried  ${findings.length} findings  ${formatSeconds(startedAtMs)}`
  say(`${word.padEnd(5)} ${area.name.padEnd(12)} ${sums}${figures.map((figure) => `; ${figure}`).join('')}`)
  findings.slice(0, findingsShown).forEach((finding, index) => {
    for (const line of shown(finding, index, `--area ${area.name} --seed ${seed}${isShort ? ' --short' : ''}`))
      say(line)
  })
  if (findings.length > findingsShown) say(`      and ${findings.length - findingsShown} more`)
  for (const [tag, count] of countTags(findings)) say(`      ${count} of them are ${tag}`)
  return { tried, found: findings.length }
}

/** Labels start with the tag of their subject if it has one, such as `[B4]`. */
function countTags(findings: readonly Finding[]): [string, number][] {
  const tags = findings.map(({ label }) => /\[\w+\]/.exec(label)?.[0] ?? 'without a tag')
  return [...Map.groupBy(tags, (tag) => tag)].map(([tag, found]) => [tag, found.length])
}

async function judgeServers(
  { servers }: AttackWorld,
  report: Report,
  judging: Omit<ServerJudging, 'label'>,
): Promise<void> {
  for (const [index, server] of servers.entries()) {
    await judgeServer(server, report, { ...judging, label: `process ${index + 1} of ${servers.length}` })
  }
}

function shown({ label, expected, got, request }: Finding, index: number, repeat: string): string[] {
  return [
    `      ${index + 1}. ${label}`,
    `         expected ${expected}`,
    `         got      ${got}`,
    ...(request === undefined ? [] : [`         request  ${request}`]),
    `         repeat   npm run attack -- ${repeat} --only '${label}'`,
  ]
}
