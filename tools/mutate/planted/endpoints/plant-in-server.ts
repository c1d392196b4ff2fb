import { writeFileSync } from 'node:fs'
import { accessRowOf, accessTable } from '../../../../server/src/domain/access/access-table.ts'
import type { Endpoint } from '../../../../server/src/http/endpoint.ts'
import type { InferenceEndpoint } from '../../../../server/src/http/inference/inference-endpoint.ts'
import { type ChangeableEndpoint, type ChangeName, endpointChanges } from './change-endpoint.ts'
import { endpointName } from './endpoint-name.ts'

type Described = { readonly endpoints: readonly Endpoint[]; readonly inferenceEndpoints: readonly InferenceEndpoint[] }

/**
 * The change to plant. `only` names endpoints as `endpointName` does, and `notePath` receives the names of changed
 * endpoints.
 */
export type Planting = { readonly kind: ChangeName; readonly only?: readonly string[]; readonly notePath: string }

/** The gateway's descriptors with one change in each. A copy of the tree calls it where its server takes them. */
export function plantInServer<Deps extends Described>(deps: Deps, { kind, only, notePath }: Planting): Deps {
  const all = [...deps.endpoints, ...deps.inferenceEndpoints].map(changeableOf)
  const isTaken = (method: string, paths: readonly string[]): boolean =>
    all.some((other) => other.method === method && other.paths.some((path) => paths.includes(path)))
  const names: string[] = []
  const plant = <Each extends Endpoint | InferenceEndpoint>(endpoint: Each): Each => {
    const changeable = changeableOf(endpoint)
    const name = endpointName(kind, changeable)
    const change = only === undefined || only.includes(name) ? endpointChanges[kind](changeable, isTaken) : null
    // For inference, the router accepts only `POST`.
    if (change === null || ('dialect' in endpoint && ('method' in change || 'isUnlimited' in change))) return endpoint
    names.push(name)
    return { ...endpoint, ...withoutRow(change), access: accessOf(endpoint, change) }
  }
  const planted = {
    ...deps,
    endpoints: deps.endpoints.map(plant),
    inferenceEndpoints: deps.inferenceEndpoints.map(plant),
  }
  writeFileSync(notePath, JSON.stringify(names))
  return planted
}

function changeableOf(endpoint: Endpoint | InferenceEndpoint): ChangeableEndpoint {
  const isEndpoint = 'method' in endpoint
  return {
    method: isEndpoint ? endpoint.method : 'POST',
    paths: endpoint.paths,
    row: accessRowOf(endpoint.access),
    alsoHead: isEndpoint && endpoint.alsoHead === true,
    isUnlimited: isEndpoint && endpoint.isUnlimited === true,
    acceptsApiKeyHeader: endpoint.acceptsApiKeyHeader === true,
  }
}

function withoutRow({ row: _, ...change }: Partial<ChangeableEndpoint>): object {
  return change
}

/** A changed row is added, because endpoints share rows. */
function accessOf({ name, access }: Endpoint | InferenceEndpoint, { row }: Partial<ChangeableEndpoint>) {
  if (row === undefined) return access
  Object.assign(accessTable, { [`planted.${name}`]: row })
  return `planted.${name}`
}
