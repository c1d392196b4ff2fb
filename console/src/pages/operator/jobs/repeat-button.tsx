import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FailedWork, jobsQuery, repeatJob } from '../../../api/operator-jobs.ts'
import { useMayOperate } from '../../../app/use-operator.ts'
import { Button } from '../../../ui/button.tsx'
import { toast, toastError } from '../../../ui/toast.tsx'

/** Has a worker attempt failed work at once, instead of after its pause. */
export function RepeatButton({ work }: { readonly work: FailedWork }) {
  const client = useQueryClient()
  const mayRepeat = useMayOperate()('operators.jobs')
  const { mutate, isPending } = useMutation({
    mutationFn: () => repeatJob(work),
    onSuccess: async () => {
      toast('A worker will retry it now.')
      await client.invalidateQueries({ queryKey: jobsQuery.queryKey })
    },
    onError: toastError,
  })
  if (!mayRepeat) return null
  return (
    <Button size="small" isBusy={isPending} onClick={() => mutate()}>
      Repeat
    </Button>
  )
}
