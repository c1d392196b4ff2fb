import { useMutation, useQueryClient } from '@tanstack/react-query'
import { changeMember, type Member, memberQuery } from '../../api/members.ts'
import { withStepUp } from '../../api/step-up.ts'
import { useOrganization } from '../../app/wallet.ts'
import { Button } from '../../ui/button.tsx'
import { toast, toastError } from '../../ui/toast.tsx'
import { nameOf } from './member-columns.tsx'

/** Suspends a member, or restores the access. Nothing is lost, so it asks no question. */
export function SuspendMemberButton({ of: member }: { readonly of: Member }) {
  const { organizationId } = useOrganization()
  const client = useQueryClient()
  const change = useMutation({
    mutationFn: () => withStepUp(() => changeMember(organizationId, member.id, { suspended: !member.suspended })),
    onSuccess: async ({ data }) => {
      client.setQueryData(memberQuery(organizationId, member.id).queryKey, data)
      toast(
        data.suspended
          ? `${nameOf(member)} suspended. Their keys are rejected within 15 seconds.`
          : `${nameOf(member)} has access again.`,
      )
      await client.invalidateQueries({ queryKey: ['members', organizationId, 'list'] })
    },
    onError: toastError,
  })
  return (
    <Button isBusy={change.isPending} onClick={() => change.mutate()}>
      {member.suspended ? 'Restore access' : 'Suspend'}
    </Button>
  )
}
