import { api, dataOf } from '../../api/client.ts'
import { type KeyHolder, managedOrganization, ownKeysQuery } from '../../api/keys.ts'
import type { KeyChangeBody } from './key-change-body.ts'

/** Changes the given settings of a key of a person or an organization. */
export function changeKey(holder: KeyHolder, id: string, body: KeyChangeBody) {
  const orgId = managedOrganization(holder)
  if (orgId !== null) {
    return api.PATCH('/v1/orgs/{orgId}/keys/{keyId}', { params: { path: { orgId, keyId: id } }, body })
  }
  return api.PATCH('/v1/keys/{id}', { params: { path: { id }, query: ownKeysQuery(holder) }, body })
}

export function deleteKey(holder: KeyHolder, id: string) {
  const orgId = managedOrganization(holder)
  if (orgId !== null) return api.DELETE('/v1/orgs/{orgId}/keys/{keyId}', { params: { path: { orgId, keyId: id } } })
  return api.DELETE('/v1/keys/{id}', { params: { path: { id }, query: ownKeysQuery(holder) } })
}

/** Gives a key a new secret. The previous secret keeps working during the overlap. */
export function rotateKey(holder: KeyHolder, id: string, body: { readonly overlap_seconds: number }) {
  const orgId = managedOrganization(holder)
  if (orgId !== null) {
    return dataOf(api.POST('/v1/orgs/{orgId}/keys/{keyId}/rotate', { params: { path: { orgId, keyId: id } }, body }))
  }
  return dataOf(api.POST('/v1/keys/{id}/rotate', { params: { path: { id }, query: ownKeysQuery(holder) }, body }))
}
