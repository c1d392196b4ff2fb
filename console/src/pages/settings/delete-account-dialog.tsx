import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import { booksQuery } from '../../api/books.ts'
import { api, dataOf } from '../../api/client.ts'
import { sessionQuery } from '../../api/session.ts'
import { withStepUp } from '../../api/step-up.ts'
import { toNano } from '../../lib/money.ts'
import { plural } from '../../lib/plural.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { TextField } from '../../ui/field.tsx'
import { Money } from '../../ui/money.tsx'

/** Says what is deleted and what is retained, and asks for the email address, because the deletion is permanent. */
export function DeleteAccountDialog({ onClose }: { readonly onClose: () => void }) {
  const { data: session } = useQuery(sessionQuery)
  const address = session?.user.email ?? ''
  const { register, handleSubmit, formState } = useForm({ defaultValues: { email: '' } })
  const deletion = useDeletion()
  const submit = handleSubmit(({ email }) => deletion.mutate(email.trim()))
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Delete account"
      description="This can't be undone."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="danger" type="submit" form="delete-account" isBusy={deletion.isPending}>
            Delete account
          </Button>
        </>
      }
    >
      <form
        id="delete-account"
        className="flex flex-col gap-4 text-sm"
        onSubmit={(event) => void submit(event)}
        noValidate
      >
        {deletion.error === null ? null : <ErrorNote error={deletion.error} />}
        <WhatGoes userId={session?.user.id} />
        <List title="What's kept">
          <li>Ledger entries and request records, under an anonymous ID.</li>
          <li>Audit log entries, with that ID instead of your name.</li>
        </List>
        <TextField
          label={`Type ${address} to confirm`}
          type="email"
          autoComplete="off"
          error={formState.errors.email?.message}
          {...register('email', {
            validate: (typed) =>
              typed.trim().toLowerCase() === address.toLowerCase() ||
              "This doesn't match your account's email address.",
          })}
        />
      </form>
    </Dialog>
  )
}

function useDeletion() {
  const client = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: (email: string) => withStepUp(() => api.POST('/api/account/delete', { body: { email } })),
    onSuccess: async () => {
      client.clear()
      client.setQueryData(sessionQuery.queryKey, null)
      await navigate({ to: '/sign-in', search: { notice: 'deleted' } })
    },
  })
}

/** The number of keys that stop working, and the credit that is lost. */
function WhatGoes({ userId }: { readonly userId: string | undefined }) {
  const books = useQuery(booksQuery(userId))
  const keys = useQuery({ queryKey: ['keys', 'any'], queryFn: () => dataOf(api.GET('/v1/keys')) })
  const count = keys.data?.data.length ?? null
  const balance = books.data === undefined ? null : toNano(books.data.available)
  return (
    <List title="What's deleted">
      <li>
        Your name, email address, and sign-in methods: password, passkeys, two-factor authentication, and sessions.
      </li>
      <li>
        {count === null ? 'All your API keys' : `Your ${plural(count, 'API key')}`}. Requests are rejected within 15
        seconds.
      </li>
      <li>Your organization memberships. Organizations keep their API keys and balances.</li>
      <li>
        {balance === null || balance <= 0n ? (
          "Any remaining credit. It isn't refunded."
        ) : (
          <>
            <strong className="font-semibold">
              Your remaining credit of <Money nano={balance} /> is lost.
            </strong>{' '}
            It isn't refunded.
          </>
        )}
      </li>
    </List>
  )
}

function List({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div>
      <h3 className="mb-1 font-semibold">{title}</h3>
      <ul className="flex list-disc flex-col gap-1 pl-5 text-muted">{children}</ul>
    </div>
  )
}
