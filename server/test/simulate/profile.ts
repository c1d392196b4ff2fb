import type { Random } from '#test/drills/setup/random.ts'
import type { DiskFaults } from './machine/disk.ts'

/** The probability of each fate of a statement; the rest arrives and is answered. */
export interface WireFaults {
  /** Takes up to 2.5 s, longer than any timeout. */
  readonly slow: number
  /** Never arrives. */
  readonly cut: number
  /** Is committed, and the connection breaks before the response. */
  readonly unknown: number
  /** The connection breaks, and the statement continues and commits up to 6 s later. */
  readonly zombie: number
  /** Is executed twice. */
  readonly twice: number
  readonly deadlock: number
}

export const noWireFaults: WireFaults = { slow: 0, cut: 0, unknown: 0, zombie: 0, twice: 0, deadlock: 0 }

/**
 * The properties of a seed's world. Seeds differ in kind, not only in detail: faults that hide each other are tried
 * separately.
 */
export interface Profile {
  readonly isCalm: boolean
  readonly gatewayCount: number
  readonly callCount: number
  readonly startMs: number
  readonly wire: WireFaults
  readonly disk: DiskFaults
  /** Each number is a time after the start. */
  readonly kills: readonly number[]
  readonly powerLosses: readonly number[]
  readonly workerKills: readonly number[]
  readonly outages: readonly { readonly atMs: number; readonly forMs: number; readonly losesCommits: boolean }[]
  readonly topUps: readonly number[]
  /** The probability that an upstream counts more than was reserved. */
  readonly overrunChance: number
  readonly leaveChance: number
}

/** Faults only occur before this time; then everything is repaired and all requests must end. */
export const faultyMs = 12_000

const edges = ['2031-03-31T23:59:54Z', '2031-06-01T23:59:57Z', '2031-08-12T10:59:55Z', '2031-08-12T10:20:00Z']

export function drawProfile(random: Random): Profile {
  const isCalm = random.chance(0.1)
  const moments = (chance: number, most: number): number[] =>
    isCalm || !random.chance(chance)
      ? []
      : Array.from({ length: random.integer(1, most) }, () => random.integer(0, faultyMs))
  const share = (): number => (isCalm || random.chance(0.5) ? 0 : random.integer(1, 150) / 1_000)
  const outages = moments(0.5, 2).map((atMs) => ({
    atMs,
    forMs: random.integer(1, 4_000),
    losesCommits: random.chance(0.5),
  }))
  // Half of the power failures happen while Postgres is down: only then can the spool lose data.
  const powerLosses = moments(0.3, 2).map((atMs) => {
    const outage = random.chance(0.5) ? outages[0] : undefined
    return outage === undefined ? atMs : Math.min(faultyMs - 1, outage.atMs + random.integer(0, outage.forMs + 1_000))
  })
  return {
    isCalm,
    gatewayCount: random.integer(2, 3),
    callCount: random.integer(3, 14),
    startMs: Date.parse(random.pick(edges)),
    wire: { slow: share(), cut: share(), unknown: share(), zombie: share(), twice: share(), deadlock: share() },
    disk: { fullChance: share() * 2, syncChance: share() * 2 },
    kills: moments(0.5, 3),
    powerLosses,
    workerKills: moments(0.2, 1),
    outages,
    topUps: random.chance(0.3) ? [random.integer(0, faultyMs)] : [],
    overrunChance: random.chance(0.5) ? 0 : 0.2,
    leaveChance: random.chance(0.3) ? 0 : 0.25,
  }
}
