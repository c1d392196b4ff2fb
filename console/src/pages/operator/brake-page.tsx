import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { OctagonX } from 'lucide-react'
import { useState } from 'react'
import { brakeQuery, releaseBrake } from '../../api/brake.ts'
import { useMayOperate } from '../../app/use-operator.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import { SetBrakeDialog } from './set-brake-dialog.tsx'

/** The emergency brake, which stops the requests of all customers. */
export function BrakePage() {
  const brake = useQuery(brakeQuery)
  const mayChange = useMayOperate()('operators.brake')
  const [isAsked, setAsked] = useState(false)
  const isSet = brake.data?.engaged === true
  return (
    <Page
      title="Emergency brake"
      description="Stops new requests to models for all customers, on every gateway, within a second."
      actions={
        brake.data === undefined || !mayChange ? null : isSet ? (
          <Button kind="primary" onClick={() => setAsked(true)}>
            Release brake…
          </Button>
        ) : (
          <Button kind="danger" icon={<OctagonX size={16} aria-hidden="true" />} onClick={() => setAsked(true)}>
            Stop all requests…
          </Button>
        )
      }
    >
      {brake.error === null ? null : <ErrorNote error={brake.error} onRetry={() => void brake.refetch()} />}
      {brake.data !== undefined ? (
        <State isSet={isSet} retryAfterS={Number(brake.data.retryAfterS ?? 0)} reason={brake.data.reason ?? null} />
      ) : brake.error === null ? (
        <Skeleton className="h-40 w-full max-w-2xl" />
      ) : null}
      {isAsked && !isSet ? <SetBrakeDialog onClose={() => setAsked(false)} /> : null}
      {isAsked && isSet ? <ReleaseDialog onClose={() => setAsked(false)} /> : null}
    </Page>
  )
}

function State(state: { readonly isSet: boolean; readonly retryAfterS: number; readonly reason: string | null }) {
  return (
    <Card title="Status" className="max-w-2xl">
      {state.isSet ? (
        <Facts
          facts={[
            ['Requests', <Badge tone="bad">Stopped</Badge>],
            ['Clients retry after', `${state.retryAfterS} seconds`],
            ['Reason', state.reason ?? 'None'],
          ]}
        />
      ) : (
        <p className="flex flex-wrap items-center gap-2 text-sm">
          <Badge tone="good">Released</Badge> Requests are served.
        </p>
      )}
    </Card>
  )
}

function ReleaseDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient()
  const release = useMutation({
    mutationFn: releaseBrake,
    onSuccess: async (state) => {
      client.setQueryData(brakeQuery.queryKey, state)
      onClose()
      toast('Brake released. Requests are served again.')
    },
  })
  return (
    <ConfirmDialog
      title="Release the brake?"
      text="Every gateway serves requests of all customers again, within a second. Clients that were told to wait may all retry at once."
      act="Release brake"
      mutation={{ ...release, mutate: () => release.mutate() }}
      onClose={onClose}
    />
  )
}
