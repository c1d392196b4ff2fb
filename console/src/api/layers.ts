import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from './client.ts'

/** What has its own limits and allowed models: an organization, one of its teams, or one of its members. */
export type Layer =
  | { readonly kind: 'organization'; readonly orgId: string }
  | { readonly kind: 'team'; readonly orgId: string; readonly id: string }
  | { readonly kind: 'member'; readonly orgId: string; readonly id: string }

export type LayerBreaker = Awaited<ReturnType<typeof readBreaker>>

/** The spend breaker of a layer, with the spend of the current minute and hour. */
export function layerBreakerQuery(layer: Layer) {
  return queryOptions({ queryKey: ['breaker', ...keyOf(layer)], queryFn: () => readBreaker(layer) })
}

function readBreaker(layer: Layer) {
  const { orgId } = layer
  switch (layer.kind) {
    case 'organization':
      return dataOf(api.GET('/api/orgs/{orgId}/circuit-breaker', { params: { path: { orgId } } }))
    case 'team': {
      const params = { path: { orgId, teamId: layer.id } }
      return dataOf(api.GET('/api/orgs/{orgId}/teams/{teamId}/circuit-breaker', { params }))
    }
    case 'member': {
      const params = { path: { orgId, memberId: layer.id } }
      return dataOf(api.GET('/api/orgs/{orgId}/members/{memberId}/circuit-breaker', { params }))
    }
  }
}

/** Null restores what the layer inherits. */
export interface BreakerChange {
  readonly cbEnabled: boolean | null
  readonly cbMinuteUsd: number | null
  readonly cbHourlyUsd: number | null
}

export function changeLayerBreaker(layer: Layer, body: BreakerChange) {
  const { orgId } = layer
  switch (layer.kind) {
    case 'organization':
      return dataOf(api.PATCH('/api/orgs/{orgId}/circuit-breaker', { params: { path: { orgId } }, body }))
    case 'team': {
      const params = { path: { orgId, teamId: layer.id } }
      return dataOf(api.PATCH('/api/orgs/{orgId}/teams/{teamId}/circuit-breaker', { params, body }))
    }
    case 'member': {
      const params = { path: { orgId, memberId: layer.id } }
      return dataOf(api.PATCH('/api/orgs/{orgId}/members/{memberId}/circuit-breaker', { params, body }))
    }
  }
}

export type AllowedModels = Awaited<ReturnType<typeof readAllowedModels>>

/** The allowed models of a layer, those of the wider layers, and the combined result. */
export function allowedModelsQuery(layer: Layer) {
  return queryOptions({ queryKey: ['allowed-models', ...keyOf(layer)], queryFn: () => readAllowedModels(layer) })
}

function readAllowedModels(layer: Layer) {
  const { orgId } = layer
  switch (layer.kind) {
    case 'organization':
      return dataOf(api.GET('/api/orgs/{orgId}/allowed-models', { params: { path: { orgId } } }))
    case 'team': {
      const params = { path: { orgId, teamId: layer.id } }
      return dataOf(api.GET('/api/orgs/{orgId}/teams/{teamId}/allowed-models', { params }))
    }
    case 'member': {
      const params = { path: { orgId, memberId: layer.id } }
      return dataOf(api.GET('/api/orgs/{orgId}/members/{memberId}/allowed-models', { params }))
    }
  }
}

export function replaceAllowedModels(layer: Layer, patterns: readonly string[]) {
  const { orgId } = layer
  const body = { allowedModels: [...patterns] }
  switch (layer.kind) {
    case 'organization':
      return dataOf(api.PATCH('/api/orgs/{orgId}/allowed-models', { params: { path: { orgId } }, body }))
    case 'team': {
      const params = { path: { orgId, teamId: layer.id } }
      return dataOf(api.PATCH('/api/orgs/{orgId}/teams/{teamId}/allowed-models', { params, body }))
    }
    case 'member': {
      const params = { path: { orgId, memberId: layer.id } }
      return dataOf(api.PATCH('/api/orgs/{orgId}/members/{memberId}/allowed-models', { params, body }))
    }
  }
}

function keyOf(layer: Layer): readonly string[] {
  return layer.kind === 'organization' ? [layer.orgId] : [layer.orgId, layer.kind, layer.id]
}
