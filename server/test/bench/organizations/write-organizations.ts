import type { OrganizationRound } from './measure-organizations.ts'
import type { OrganizationRatios } from './summarise-organizations.ts'

export function writeOrganizations(figures: OrganizationRound, ratios: OrganizationRatios): string {
  const { hot_org, hot_org_raw, many_wallets, many_wallets_raw } = figures
  return [
    '| holds and settles, three processes | pairs/s | in a statement | bare statements, pairs/s | port ÷ bare |',
    '|---|---|---|---|---|',
    `| one organization | ${hot_org.pairs_per_s} | ${hot_org.batch} | ${hot_org_raw.pairs_per_s} | ${ratios.hot_org_pairs_vs_raw ?? '–'} |`,
    `| 200 organizations | ${many_wallets.pairs_per_s} | ${many_wallets.batch} | ${many_wallets_raw.pairs_per_s} | ${ratios.many_wallets_vs_raw ?? '–'} |`,
  ].join('\n')
}
