import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { deleteWebhookSecret, makeWebhookSecret, webhookSecretQuery } from '../../api/webhooks.ts'
import { withStepUp } from '../../api/step-up.ts'
import type { Wallet } from '../../app/wallet.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Card } from '../../ui/page.tsx'
import { SecretDialog } from '../../ui/secret-dialog.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'

type Question = 'replace' | 'delete'

/** The webhook signing secret of a person or an organization: create, show once, replace, delete. */
export function SecretCard({ wallet }: { readonly wallet: Wallet }) {
  const secret = useQuery(webhookSecretQuery(wallet))
  const [asked, setAsked] = useState<Question | null>(null)
  const close = () => setAsked(null)
  const { making, removal } = useSecretActs(wallet, close)
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
        <ConfirmDialog {...questions[asked]} mutation={asked === 'replace' ? making : removal} onClose={close} />
      )}
      {making.data === undefined ? null : (
        <SecretDialog
          secret={making.data}
          description="You won't be able to see it again. It signs webhooks starting with the next delivery."
          onClose={making.reset}
        />
      )}
    </Card>
  )
}

const questions = {
  replace: {
    title: 'Replace signing secret',
    text: 'Only the new secret signs webhooks, starting with the next delivery. Endpoints that still use the old secret will reject them.',
    act: 'Replace secret',
  },
  delete: {
    title: 'Delete signing secret',
    text: 'Webhooks will no longer be signed. Endpoints that verify signatures will reject them.',
    act: 'Delete secret',
  },
} as const satisfies Record<Question, object>

function useSecretActs(wallet: Wallet, onDone: () => void) {
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: webhookSecretQuery(wallet).queryKey })
  const making = useMutation({
    mutationFn: () => withStepUp(() => makeWebhookSecret(wallet)),
    onSuccess: async () => {
      onDone()
      await refresh()
    },
    gcTime: 0,
  })
  const removal = useMutation({
    mutationFn: () => withStepUp(() => deleteWebhookSecret(wallet)),
    onSuccess: async () => {
      onDone()
      toast('Signing secret deleted.')
      await refresh()
    },
  })
  return { making, removal }
}

/** Whether webhooks are signed, and the available actions. */
function Standing({
  since,
  isMaking,
  onMake,
  onAsk,
}: {
  /** Null if there is no secret. */
  readonly since: string | null
  readonly isMaking: boolean
  readonly onMake: () => void
  readonly onAsk: (question: Question) => void
}) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p className="min-w-0 flex-1 basis-60 text-muted text-sm">
        {since === null ? (
          "Webhooks aren't signed. Create a secret so your endpoint can verify that they come from Weir."
        ) : (
          <>
            Webhooks are signed with a secret created <Time iso={since} />.
          </>
        )}
      </p>
      {since === null ? (
        <Button kind="primary" isBusy={isMaking} onClick={onMake}>
          Create secret
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
  return isSet ? <Badge tone="good">Signed</Badge> : <Badge>Not signed</Badge>
}
