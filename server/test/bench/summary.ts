import type { PhaseErrors, Phase, RoundFigures } from './measure-contender.ts'
import { errorShareMax, headroomMin } from './settings.ts'

/** The medians of a contender's rounds. A figure is null where there is none or where errors forbid it. */
export interface ContenderSummary {
  json_rps: number | null
  json_cpu_us: number | null
  p50_ms: number | null
  p99_ms: number | null
  added_p50_ms: number | null
  added_p99_ms: number | null
  stream_chunks_per_s: number | null
  stream_cpu_us_per_chunk: number | null
  kb_per_stream: number | null
  errors: Record<Phase, PhaseErrors>
  notes: string[]
}

export type ContenderResult = ContenderSummary | { unavailable: string } | { failed: string }

export function summarise(rounds: readonly RoundFigures[], direct: readonly RoundFigures[]): ContenderSummary {
  const errors = {
    json: addErrors(rounds, 'json'),
    paced: addErrors(rounds, 'paced'),
    stream: addErrors(rounds, 'stream'),
    held: addErrors(rounds, 'held'),
  }
  const figure = (phase: Phase, read: (round: RoundFigures, index: number) => number | null, digits: number) =>
    isComparable(errors[phase]) ? median(rounds.map(read), digits) : null
  const added = (read: (round: RoundFigures) => number | null) => (round: RoundFigures, index: number) => {
    const base = direct[index]
    const own = read(round)
    const least = base === undefined ? null : read(base)
    return own === null || least === null ? null : own - least
  }
  return {
    json_rps: figure('json', (round) => round.jsonPerSecond, 0),
    json_cpu_us: figure('json', (round) => round.jsonCpuUs, 1),
    p50_ms: figure('paced', (round) => round.p50Ms, 3),
    p99_ms: figure('paced', (round) => round.p99Ms, 3),
    added_p50_ms: figure(
      'paced',
      added((round) => round.p50Ms),
      3,
    ),
    added_p99_ms: figure(
      'paced',
      added((round) => round.p99Ms),
      3,
    ),
    stream_chunks_per_s: figure('stream', (round) => round.chunksPerSecond, 0),
    stream_cpu_us_per_chunk: figure('stream', (round) => round.chunkCpuUs, 2),
    kb_per_stream: figure('held', (round) => round.kbPerStream, 1),
    errors,
    notes: writeNotes(rounds, direct, errors),
  }
}

function addErrors(rounds: readonly RoundFigures[], phase: Phase): PhaseErrors {
  const found = rounds.map(({ phases }) => phases[phase])
  return {
    attempts: found.reduce((sum, { attempts }) => sum + attempts, 0),
    errors: found.reduce((sum, { errors }) => sum + errors, 0),
    firstError: found.find(({ firstError }) => firstError !== null)?.firstError ?? null,
  }
}

function isComparable({ attempts, errors }: PhaseErrors): boolean {
  return attempts > 0 && errors / attempts <= errorShareMax
}

/** What a reader must know before comparing: errors, and whether the load or the contender was the limit. */
function writeNotes(
  rounds: readonly RoundFigures[],
  direct: readonly RoundFigures[],
  errors: Record<Phase, PhaseErrors>,
): string[] {
  const notes: string[] = []
  for (const [phase, found] of Object.entries(errors)) {
    if (found.errors === 0) continue
    const verdict = isComparable(found) ? '' : ', so it is not compared there'
    notes.push(`${phase}: ${found.errors} of ${found.attempts} failed${verdict}; first: ${oneLine(found.firstError)}`)
  }
  if (rounds.some((round) => round.isPacedSaturated)) notes.push('paced: at times it could not keep up with the rate')
  if (rounds.every((round) => round.chunkCpuUs === null)) return notes
  const headroom = {
    json: headroomOf(rounds, direct, (round) => round.jsonPerSecond),
    stream: headroomOf(rounds, direct, (round) => round.chunksPerSecond),
  }
  for (const [phase, times] of Object.entries(headroom)) {
    if (times === null || times >= headroomMin) continue
    notes.push(`${phase}: the load core was saturated (direct only ${times} times as fast); judge by CPU`)
  }
  notes.push(...writeBusyNotes(rounds))
  return notes
}

// A contender that is the limit keeps its core busy; one that waits for engines, load or neighbours does not.
function writeBusyNotes(rounds: readonly RoundFigures[]): string[] {
  const json = median(
    rounds.map((round) => round.jsonBusyShare),
    2,
  )
  const stream = median(
    rounds.map((round) => round.streamBusyShare),
    2,
  )
  const others = median(
    rounds.map((round) => round.jsonOthersShare),
    2,
  )
  const notes: string[] = []
  if (json !== null && json < 0.9) {
    notes.push(
      `json: it used ${percent(json)} of its core (others ${percent(others ?? 0)}), so its rate could be higher; judge by CPU`,
    )
  }
  if (stream !== null && stream < 0.9) {
    notes.push(`stream: it used ${percent(stream)} of its core, so its rate could be higher; judge by CPU`)
  }
  return notes
}

function headroomOf(
  rounds: readonly RoundFigures[],
  direct: readonly RoundFigures[],
  read: (round: RoundFigures) => number | null,
): number | null {
  const own = median(rounds.map(read), 2)
  const most = median(direct.map(read), 2)
  return own === null || most === null || own === 0 ? null : Number((most / own).toFixed(2))
}

function median(values: readonly (number | null)[], digits: number): number | null {
  const sorted = values.filter((value) => value !== null).sort((one, other) => one - other)
  const middle = sorted.length >> 1
  const upper = sorted[middle]
  const lower = sorted[sorted.length % 2 === 0 ? middle - 1 : middle]
  return upper === undefined || lower === undefined ? null : Number(((upper + lower) / 2).toFixed(digits))
}

function percent(share: number): string {
  return `${Math.round(share * 100)}%`
}

function oneLine(text: string | null): string {
  return (text ?? '').replaceAll(/\s+/g, ' ').slice(0, 300)
}
