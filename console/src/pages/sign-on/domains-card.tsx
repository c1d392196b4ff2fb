import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { addDomain, deleteDomain, domainsQuery, type SignOnDomain, verifyDomain } from '../../api/sign-on.ts'
import { withStepUp } from '../../api/step-up.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { TextField } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import { CopiedLine } from './copied-line.tsx'

/** The domains of the organization. Only addresses in verified domains sign in through its identity provider. */
export function DomainsCard({ organizationId }: { readonly organizationId: string }) {
  const domains = useQuery(domainsQuery(organizationId))
  return (
    <Card title="Domains" description="Only people with an email address in a verified domain can sign in.">
      <div className="flex flex-col gap-4">
        {domains.error === null ? null : <ErrorNote error={domains.error} onRetry={() => void domains.refetch()} />}
        {domains.data === undefined ? (
          domains.error === null ? (
            <Skeleton className="h-10 w-full" />
          ) : null
        ) : domains.data.length === 0 ? null : (
          <ul className="flex flex-col divide-y divide-line">
            {domains.data.map((domain) => (
              <DomainRow key={domain.id} organizationId={organizationId} of={domain} />
            ))}
          </ul>
        )}
        <AddDomain organizationId={organizationId} />
      </div>
    </Card>
  )
}

function DomainRow({ organizationId, of: domain }: { readonly organizationId: string; readonly of: SignOnDomain }) {
  const refresh = useRefresh(organizationId)
  const [isAsked, setAsked] = useState(false)
  const verifying = useMutation({
    mutationFn: () => verifyDomain(organizationId, domain.id),
    onSuccess: async () => {
      toast(`${domain.domain} verified.`)
      await refresh()
    },
  })
  const removal = useMutation({
    mutationFn: () => withStepUp(() => deleteDomain(organizationId, domain.id)),
    onSuccess: async () => {
      setAsked(false)
      toast(`${domain.domain} deleted.`)
      await refresh()
    },
  })
  const isVerified = domain.verifiedAt !== null
  return (
    <li aria-label={domain.domain} className="flex flex-col gap-3 py-3 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-center gap-2">
        <span className="min-w-0 break-all font-medium text-sm">{domain.domain}</span>
        {isVerified ? <Badge tone="good">Verified</Badge> : <Badge tone="warn">Not verified</Badge>}
        <div className="ml-auto flex gap-2">
          <Button size="small" onClick={() => setAsked(true)}>
            Delete…
          </Button>
          {isVerified ? null : (
            <Button size="small" kind="primary" isBusy={verifying.isPending} onClick={() => verifying.mutate()}>
              Verify
            </Button>
          )}
        </div>
      </div>
      {isVerified ? null : <Record of={domain} />}
      {verifying.error === null ? null : <ErrorNote error={verifying.error} />}
      {isAsked ? (
        <ConfirmDialog
          title={`Delete ${domain.domain}?`}
          text="People with an address in this domain can no longer sign in through your identity provider. Members stay."
          act="Delete domain"
          mutation={removal}
          onClose={() => setAsked(false)}
        />
      ) : null}
    </li>
  )
}

function Record({ of: { record } }: { readonly of: SignOnDomain }) {
  return (
    <div className="grid gap-3 rounded-md bg-raised p-3 sm:grid-cols-2">
      <p className="text-sm sm:col-span-2">Add this TXT record where you manage the domain's DNS, then verify.</p>
      <CopiedLine label="Name" text={record.name} />
      <CopiedLine label="Value" text={record.value} />
    </div>
  )
}

function AddDomain({ organizationId }: { readonly organizationId: string }) {
  const refresh = useRefresh(organizationId)
  const form = useForm<{ domain: string }>({ defaultValues: { domain: '' } })
  const adding = useMutation({
    mutationFn: ({ domain }: { domain: string }) => addDomain(organizationId, domain.trim()),
    onSuccess: async () => {
      form.reset()
      await refresh()
    },
  })
  const submit = form.handleSubmit((fields) => adding.mutate(fields))
  return (
    <form className="flex flex-col gap-3" onSubmit={(event) => void submit(event)} noValidate>
      {adding.error === null ? null : <ErrorNote error={adding.error} />}
      <div className="flex max-w-md items-end gap-2">
        <div className="min-w-0 flex-1">
          <TextField
            label="Domain"
            placeholder="example.com"
            maxLength={253}
            {...form.register('domain', { required: true })}
          />
        </div>
        <Button type="submit" isBusy={adding.isPending}>
          Add domain
        </Button>
      </div>
    </form>
  )
}

function useRefresh(organizationId: string) {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: domainsQuery(organizationId).queryKey })
}
