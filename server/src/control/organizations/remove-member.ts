import type { Grant } from '#domain/access/judge-access.ts'
import type { AuditStamp } from '#domain/audit/audit-entry.ts'
import { judgeMember } from '#domain/organizations/judge-member.ts'
import { memberValues } from '#domain/organizations/member.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { Uuid } from '#lib/uuid.ts'
import { countOtherAdmins } from './change-member.ts'
import { changeWithin, type OrganizationDeps } from './change-within.ts'
import { readMember } from './under-lock.ts'

/** Ends the membership and revokes the member's keys of the organization. The person's own account does not change. */
export async function removeMember(
  deps: OrganizationDeps,
  { memberId, grant, stamp }: { memberId: Uuid; grant: Grant; stamp: AuditStamp },
): Promise<void> {
  await changeWithin(deps, stamp, async (locked) => {
    const member = await readMember(locked, memberId)
    const otherAdmins = await countOtherAdmins(locked, member)
    const verdict = judgeMember(grant, { before: member, after: null, otherAdmins })
    if (!verdict.allowed) throw new GatewayError(verdict.refusal, { message: verdict.message })
    const revokedKeyIds = await locked.revokeKeys({ memberId })
    await locked.deleteMember(memberId)
    const target = { kind: 'member', id: memberId }
    const before = memberValues(member)
    const entry = { ...stamp, action: 'org_member.remove', target, before, details: { revokedKeyIds } } as const
    return { result: null, entries: [entry] }
  })
}
