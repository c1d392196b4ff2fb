import { queryOptions } from '@tanstack/react-query'
import { optionalAmountBody } from './amount-body.ts'
import { api, dataOf } from './client.ts'
import type { Layer } from './layers.ts'

/** Controls as they are typed. A missing or empty field limits nothing. */
export interface ControlsDraft {
  readonly weeklyBudget?: string
  readonly monthlyBudget?: string
  readonly cbMinuteUsd?: string
  readonly cbHourlyUsd?: string
  readonly allowedModels?: readonly string[]
}

export type Backtest = Awaited<ReturnType<typeof runBacktest>>['data']

/** The past requests that the controls would have refused. */
export function backtestQuery(layer: Layer, draft: ControlsDraft) {
  return queryOptions({
    queryKey: ['backtest', layer, draft],
    queryFn: () => runBacktest(layer, draft),
    staleTime: 60_000,
  })
}

function runBacktest(layer: Layer, { allowedModels, ...amounts }: ControlsDraft) {
  const { orgId } = layer
  const body = {
    ...Object.fromEntries(Object.entries(amounts).map(([name, text]) => [name, optionalAmountBody(text ?? '')])),
    ...(allowedModels === undefined ? {} : { allowedModels: [...allowedModels] }),
  }
  switch (layer.kind) {
    case 'organization':
      return dataOf(api.POST('/api/orgs/{orgId}/backtest', { params: { path: { orgId } }, body }))
    case 'team': {
      const params = { path: { orgId, teamId: layer.id } }
      return dataOf(api.POST('/api/orgs/{orgId}/teams/{teamId}/backtest', { params, body }))
    }
    case 'member': {
      const params = { path: { orgId, memberId: layer.id } }
      return dataOf(api.POST('/api/orgs/{orgId}/members/{memberId}/backtest', { params, body }))
    }
  }
}
