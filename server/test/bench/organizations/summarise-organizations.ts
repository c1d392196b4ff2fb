import { divide } from '../divide.ts'
import type { MoneyFigures, OrganizationRound } from './measure-organizations.ts'

/** Holds and settlements through the port, relative to the same bare statements. */
export interface OrganizationRatios {
  hot_org_pairs_vs_raw: number | null
  many_wallets_vs_raw: number | null
}

/** Returns the medians of all rounds. */
export function summariseOrganizations(rounds: readonly OrganizationRound[]): {
  figures: OrganizationRound
  ratios: OrganizationRatios
} {
  const figure = (name: keyof OrganizationRound): MoneyFigures => {
    const sorted = rounds.map((round) => round[name]).toSorted((one, other) => one.pairs_per_s - other.pairs_per_s)
    const middle = sorted[Math.floor(sorted.length / 2)]
    if (middle === undefined) throw new Error('there was no round')
    return middle
  }
  const ratio = (port: keyof OrganizationRound, raw: keyof OrganizationRound): number | null => {
    const found = rounds.map((round) => divide(round[port].pairs_per_s, round[raw].pairs_per_s) ?? 0)
    return found.toSorted((one, other) => one - other)[Math.floor(found.length / 2)] ?? null
  }
  return {
    figures: {
      hot_org: figure('hot_org'),
      hot_org_raw: figure('hot_org_raw'),
      many_wallets: figure('many_wallets'),
      many_wallets_raw: figure('many_wallets_raw'),
    },
    ratios: {
      hot_org_pairs_vs_raw: ratio('hot_org', 'hot_org_raw'),
      many_wallets_vs_raw: ratio('many_wallets', 'many_wallets_raw'),
    },
  }
}
