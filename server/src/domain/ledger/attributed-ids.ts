import type { Principal } from '#domain/access/principal.ts'
import type { AttributedIds } from './generation-record.ts'

const nothing: AttributedIds = {}

export function attributedIds({ attribution }: Pick<Principal, 'attribution'>): AttributedIds {
  if (attribution === null) return nothing
  const { endCustomer, tagIds, run } = attribution
  return {
    ...(endCustomer === null ? nothing : { endCustomerId: endCustomer.id }),
    ...(tagIds.length === 0 ? nothing : { tagIds }),
    ...(run === null ? nothing : { runId: run.id }),
  }
}
