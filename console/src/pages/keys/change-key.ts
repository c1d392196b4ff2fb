import { api, dataOf } from '../../api/client.ts'
import type { Wallet } from '../../app/wallet.ts'

type Owner = Pick<Wallet, 'organizationId'>

/** Updates a key of a person or an organization. */
export function changeKey({ organizationId }: Owner, id: string, body: { readonly enabled: boolean }) {
  if (organizationId === null) return api.PATCH('/v1/keys/{id}', { params: { path: { id } }, body })
  return api.PATCH('/v1/orgs/{orgId}/keys/{keyId}', { params: { path: { orgId: organizationId, keyId: id } }, body })
}

export function deleteKey({ organizationId }: Owner, id: string) {
  if (organizationId === null) return api.DELETE('/v1/keys/{id}', { params: { path: { id } } })
  return api.DELETE('/v1/orgs/{orgId}/keys/{keyId}', { params: { path: { orgId: organizationId, keyId: id } } })
}

/** Gives a key a new secret. The previous secret keeps working during the overlap. */
export function rotateKey({ organizationId }: Owner, id: string, body: { readonly overlap_seconds: number }) {
  if (organizationId === null) return dataOf(api.POST('/v1/keys/{id}/rotate', { params: { path: { id } }, body }))
  const path = { orgId: organizationId, keyId: id }
  return dataOf(api.POST('/v1/orgs/{orgId}/keys/{keyId}/rotate', { params: { path }, body }))
}
