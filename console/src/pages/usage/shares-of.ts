import type { Usage } from '../../api/usage.ts'
import { type Nano, toNano } from '../../lib/money.ts'

export type By = 'model' | 'key' | 'app' | 'member' | 'team' | 'tag'

export interface Share {
  readonly id: string
  readonly name: string
  readonly requests: number
  readonly tokens: number
  readonly nano: Nano
  /** Share of the total, in tenths of a percent. */
  readonly permille: bigint
}

const namedRows = {
  model: ({ byModel }: Usage) => byModel.map((row) => ({ ...row, id: row.model, name: row.model })),
  key: ({ byKey }: Usage) => byKey.map((row) => ({ ...row, id: row.keyId, name: row.keyName })),
  app: ({ byApp }: Usage) =>
    byApp.map((row) => ({ ...row, id: row.appName ?? '', name: row.appName ?? 'Not specified' })),
  member: ({ byMember = [] }: Usage) =>
    byMember.map((row) => ({
      ...row,
      id: row.memberId ?? '',
      name: row.name ?? (row.memberId === null ? 'Shared keys' : 'Former member'),
    })),
  team: ({ byTeam = [] }: Usage) =>
    byTeam.map((row) => ({
      ...row,
      id: row.teamId ?? '',
      name: row.teamName ?? (row.teamId === null ? 'No team' : 'Deleted team'),
    })),
  tag: ({ byTag = [] }: Usage) =>
    byTag.map((row) => {
      const name = `${row.name}=${row.value}`
      return { ...row, id: name, name }
    }),
} as const

/**
 * The usage of each model, key, application, member, team or tag, with its share of the total spend to the nearest
 * tenth of a percent.
 */
export function sharesOf(usage: Usage, by: By): readonly Share[] {
  const whole = toNano(usage.totals.spend)
  return namedRows[by](usage).map(({ id, name, requests, tokens, spend }) => ({
    id,
    name,
    requests: Number(requests),
    tokens: Number(tokens),
    nano: toNano(spend),
    permille: whole === 0n ? 0n : (toNano(spend) * 1_000n + whole / 2n) / whole,
  }))
}
