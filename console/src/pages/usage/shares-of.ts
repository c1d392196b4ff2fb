import type { Usage } from '../../api/usage.ts'
import { type Nano, toNano } from '../../lib/money.ts'

export type By = 'model' | 'key' | 'app'

export interface Share {
  readonly id: string
  readonly name: string
  readonly requests: number
  readonly tokens: number
  readonly nano: Nano
  /** Share of the total, in tenths of a percent. */
  readonly permille: bigint
}

/** The usage of each model, key or application, with its share of the total spend to the nearest tenth of a percent. */
export function sharesOf(usage: Usage, by: By): readonly Share[] {
  const named =
    by === 'model'
      ? usage.byModel.map((row) => ({ ...row, id: row.model, name: row.model }))
      : by === 'key'
        ? usage.byKey.map((row) => ({ ...row, id: row.keyId, name: row.keyName }))
        : usage.byApp.map((row) => ({ ...row, id: row.appName ?? '', name: row.appName ?? 'Not specified' }))
  const whole = toNano(usage.totals.spend)
  return named.map(({ id, name, requests, tokens, spend }) => ({
    id,
    name,
    requests: Number(requests),
    tokens: Number(tokens),
    nano: toNano(spend),
    permille: whole === 0n ? 0n : (toNano(spend) * 1_000n + whole / 2n) / whole,
  }))
}
