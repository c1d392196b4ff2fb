import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { deleteWebhookSecret, makeWebhookSecret, webhookSecretQuery } from '../../api/webhooks.ts'
import { withStepUp } from '../../app/step-up.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Card } from '../../ui/page.tsx'
import { SecretDialog } from '../../ui/secret-dialog.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'

type Question = 'replace' | 'delete'

/** What a person's calls are signed with: make it, see it once, replace it, delete it. */
export function SecretCard() {
  const secret = useQuery(webhookSecretQuery)
  const [asked, setAsked] = useState<Question | null>(null)
  const close = () => setAsked(null)
  const { making, removal } = useSecretActs(close)
  const { data } = secret
  return (
    <Card title="Signing secret" aside={data === undefined ? null : <SignedBadge isSet={data.is_set} />}>
      {secret.error === null ? null : <ErrorNote error={secret.error} onRetry={() => void secret.refetch()} />}
      {making.error !== null && asked === null ? <ErrorNote error={making.error} /> : null}
      {data === undefined ? (
        secret.error === null ? (
          <Skeleton className="h-9 w-full" />
        ) : null
      ) : (
        <Standing
          since={data.is_set ? data.created_at : null}
          isMaking={making.isPending}
          onMake={() => making.mutate()}
          onAsk={setAsked}
        />
      )}
      {asked === null ? null : (
        <QuestionDialog {...questions[asked]} mutation={asked === 'replace' ? making : removal} onClose={close} />
      )}
      {making.data === undefined ? null : (
        <SecretDialog
          secret={making.data}
          description="It is shown this once. It signs from the next call on."
          onClose={making.reset}
        />
      )}
    </Card>
  )
}

const questions = {
  replace: {
    title: 'Replace the secret',
    text: 'From the next call on, only the new secret signs. A program that still has the former one will refuse calls.',
    act: 'Replace secret',
  },
  delete: {
    title: 'Delete the secret',
    text: 'Calls are no longer signed. A program that checks signatures will refuse them.',
    act: 'Delete secret',
  },
} as const satisfies Record<Question, object>

function useSecretActs(onDone: () => void) {
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: webhookSecretQuery.queryKey })
  const making = useMutation({
    mutationFn: () => withStepUp(makeWebhookSecret),
    onSuccess: async () => {
      onDone()
      await refresh()
    },
    gcTime: 0,
  })
  const removal = useMutation({
    mutationFn: () => withStepUp(deleteWebhookSecret),
    onSuccess: async () => {
      onDone()
      toast('Calls are no longer signed.')
      await refresh()
    },
  })
  return { making, removal }
}

/** Whether calls are signed now, and what can be done about it. */
function Standing({
  since,
  isMaking,
  onMake,
  onAsk,
}: {
  /** Null: there is no secret. */
  readonly since: string | null
  readonly isMaking: boolean
  readonly onMake: () => void
  readonly onAsk: (question: Question) => void
}) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p className="min-w-0 flex-1 basis-60 text-muted text-sm">
        {since === null ? (
          'Calls are not signed. With a secret your program can tell that a call came from here.'
        ) : (
          <>
            Calls are signed with a secret that was made <Time iso={since} />.
          </>
        )}
      </p>
      {since === null ? (
        <Button kind="primary" isBusy={isMaking} onClick={onMake}>
          Make a secret
        </Button>
      ) : (
        <div className="flex gap-2">
          <Button onClick={() => onAsk('replace')}>Replace…</Button>
          <Button onClick={() => onAsk('delete')}>Delete…</Button>
        </div>
      )}
    </div>
  )
}

function SignedBadge({ isSet }: { readonly isSet: boolean }) {
  return isSet ? <Badge tone="good">signed</Badge> : <Badge>not signed</Badge>
}

function QuestionDialog({
  title,
  text,
  act,
  mutation,
  onClose,
}: {
  readonly title: string
  readonly text: string
  readonly act: string
  readonly mutation: { readonly isPending: boolean; readonly error: Error | null; readonly mutate: () => void }
  readonly onClose: () => void
}) {
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button kind="danger" isBusy={mutation.isPending} onClick={() => mutation.mutate()}>
            {act}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3 text-sm">
        {mutation.error === null ? null : <ErrorNote error={mutation.error} />}
        <p>{text}</p>
      </div>
    </Dialog>
  )
}
