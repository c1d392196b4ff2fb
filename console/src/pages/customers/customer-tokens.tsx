import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  type CustomerToken,
  customerTokensQuery,
  endCustomersKey,
  revokeCustomerToken,
} from '../../api/end-customers.ts'
import { DocsLink } from '../../app/docs-link.tsx'
import { useWallet } from '../../app/wallet.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Money } from '../../ui/money.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'

/**
 * The tokens of a customer's browsers and phones. The owner's server creates them; this list shows and revokes them.
 */
export function CustomerTokens({
  customerId,
  mayChange,
}: {
  readonly customerId: string
  readonly mayChange: boolean
}) {
  const tokens = useInfiniteQuery(customerTokensQuery(useWallet(), customerId))
  const rows = tokens.data?.pages.flatMap(({ data }) => data)
  if (tokens.error !== null) return <ErrorNote error={tokens.error} onRetry={() => void tokens.refetch()} />
  if (rows === undefined) return <Skeleton className="h-16 w-full" />
  if (rows.length === 0) {
    return (
      <p className="text-muted text-sm">
        No tokens yet. Your server creates them for browsers and phones.{' '}
        <DocsLink to="api#let-your-customers-devices-call-models">How devices call models</DocsLink>
      </p>
    )
  }
  return (
    <div className="flex flex-col gap-2">
      <ul className="divide-y divide-line rounded-lg border border-line text-sm">
        {rows.map((token) => (
          <TokenRow key={token.id} of={token} customerId={customerId} mayChange={mayChange} />
        ))}
      </ul>
      {tokens.hasNextPage ? (
        <Button className="self-start" isBusy={tokens.isFetchingNextPage} onClick={() => void tokens.fetchNextPage()}>
          Show more
        </Button>
      ) : null}
    </div>
  )
}

function TokenRow({
  of: token,
  customerId,
  mayChange,
}: {
  readonly of: CustomerToken
  readonly customerId: string
  readonly mayChange: boolean
}) {
  const wallet = useWallet()
  const client = useQueryClient()
  const revocation = useMutation({
    mutationFn: () => revokeCustomerToken(wallet, customerId, token.id),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: [endCustomersKey] })
      toast('Token revoked.')
    },
  })
  const isOver = token.revoked_at !== null || Date.parse(token.expires_at) <= Date.now()
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-3 py-2">
      <code className="min-w-0 break-all font-mono text-xs">{token.id}</code>
      <span className="flex-1 text-muted text-xs">
        {token.limit === null ? 'No limit' : <Spent of={token} />} · Expires <Time iso={token.expires_at} />
      </span>
      {revocation.error === null ? null : <ErrorNote error={revocation.error} />}
      {token.revoked_at !== null ? (
        <Badge tone="bad">Revoked</Badge>
      ) : isOver ? (
        <Badge>Expired</Badge>
      ) : mayChange ? (
        <Button isBusy={revocation.isPending} onClick={() => revocation.mutate()}>
          Revoke
        </Button>
      ) : null}
    </li>
  )
}

function Spent({ of: { spent, limit } }: { readonly of: CustomerToken }) {
  if (limit === null) return null
  return (
    <>
      <Money usd={spent ?? 0} short /> of <Money usd={limit} short />
    </>
  )
}
