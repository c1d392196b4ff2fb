import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { bookedQuery, useOwnerId } from '../../api/books.ts'
import { useWallet } from '../../app/wallet.ts'
import { classNames } from '../../lib/class-names.ts'
import { Badge } from '../../ui/badge.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Sheet } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { type Receipt, receiptQuery } from './receipt-query.ts'
import { RefusalFacts } from './refusal-facts.tsx'
import { receiptBadges } from './receipt-badges.ts'
import { ReceiptAmount } from './receipt-amount.tsx'
import { ReceiptLines } from './receipt-lines.tsx'
import { ReceiptRouting } from './receipt-routing.tsx'
import { ReceiptScript } from './receipt-script-block.tsx'
import { durationInWords, refundInWords, refundTone } from './words.ts'

/** One request, in a sheet over the list: quantities, cost, provider and routing, or why it was refused. */
export function ReceiptPage() {
  const { requestId } = useParams({ from: '/app/requests/$requestId' })
  const navigate = useNavigate()
  const wallet = useWallet()
  const request = useQuery(receiptQuery(wallet, requestId))
  return (
    <Sheet
      isOpen
      size="wide"
      title={request.data?.refused === undefined ? 'Receipt' : 'Refused request'}
      description={
        <span className="flex items-center gap-1 font-mono text-xs">
          <span className="truncate">{requestId}</span>
          <CopyButton text={requestId} label="Copy request ID" />
        </span>
      }
      onClose={() => void navigate({ to: '/requests', search: true })}
    >
      {request.error === null ? null : <ErrorNote error={request.error} onRetry={() => void request.refetch()} />}
      {request.data === undefined ? (
        request.error === null ? (
          <Waiting />
        ) : null
      ) : request.data.refused === undefined ? (
        <Content receipt={request.data.receipt} />
      ) : (
        <RefusalFacts refused={request.data.refused} />
      )}
    </Sheet>
  )
}

function Content({ receipt }: { readonly receipt: Receipt }) {
  const wallet = useWallet()
  const ownerId = useOwnerId(wallet)
  const booked = useQuery(bookedQuery(ownerId, { id: receipt.id, createdAt: receipt.created_at }))
  return (
    <div className="flex flex-col gap-6">
      <Facts receipt={receipt} />
      {receipt.refund_reason === null ? null : (
        <p
          className={classNames(
            'rounded-md px-3 py-2 text-sm',
            refundTone(receipt.refund_reason) === 'neutral' ? 'bg-raised' : 'bg-warn-soft text-warn',
          )}
        >
          <strong className="font-semibold">Not charged.</strong> {refundInWords(receipt.refund_reason)}
        </p>
      )}
      <ReceiptAmount receipt={receipt} booked={booked} />
      {receipt.receipt === null ? null : <ReceiptLines receipt={receipt} />}
      <ReceiptRouting receipt={receipt} />
      {receipt.receipt === null ? null : <ReceiptScript requestId={receipt.id} />}
    </div>
  )
}

/** The customer, user, run and tags of the request, and the request whose cached answer it got, if there are any. */
function attributionFacts({
  customer,
  user,
  run,
  tags,
  cached_from: cachedFrom,
}: Receipt): readonly (readonly [string, ReactNode])[] {
  const texts = Object.entries(tags ?? {}).map(([name, value]) => `${name}=${value}`)
  return [
    ...(customer === undefined ? [] : [['Customer', customer] as const]),
    ...(user === undefined ? [] : [['End user', user] as const]),
    ...(run === undefined
      ? []
      : [
          [
            'Run',
            <Link to="/runs/$runId/details" params={{ runId: run }} search={true} className={linkClass}>
              {run}
            </Link>,
          ] as const,
        ]),
    ...(texts.length === 0 ? [] : [['Tags', texts.join(', ')] as const]),
    ...(cachedFrom === undefined
      ? []
      : [
          [
            'Cached answer of',
            <Link to="/requests/$requestId" params={{ requestId: cachedFrom }} search={true} className={linkClass}>
              {cachedFrom}
            </Link>,
          ] as const,
        ]),
  ]
}

const linkClass = 'underline decoration-line-strong underline-offset-4 hover:decoration-accent'

function Facts({ receipt }: { readonly receipt: Receipt }) {
  const { model, provider, status, streamed, first_token_ms, duration_ms, app_name, finish_reason } = receipt
  const facts: readonly (readonly [string, ReactNode])[] = [
    ['Model', <code className="font-mono text-xs">{model ?? 'None'}</code>],
    ['Provider', provider ?? 'None'],
    ['Started', <Time iso={receipt.created_at} absolute />],
    ['Duration', durationInWords(Number(duration_ms))],
    ['Time to first token', first_token_ms === null ? 'None' : durationInWords(Number(first_token_ms))],
    [
      'Response',
      [status === null ? null : `HTTP ${status}`, streamed ? 'streamed' : null, finish_reason]
        .filter(Boolean)
        .join(', '),
    ],
    ['Application', app_name ?? 'Not specified'],
    ['API key', receipt.api_key_name ?? 'Deleted key'],
    ...ownerFacts(receipt),
    ...attributionFacts(receipt),
  ]
  return (
    <div>
      <dl className="figures grid grid-cols-2 gap-x-6 gap-y-3 text-sm sm:grid-cols-4">
        {facts.map(([label, value]) => (
          <div key={label} className="min-w-0">
            <dt className="text-muted text-xs">{label}</dt>
            <dd className="truncate">{value}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-3 flex flex-wrap gap-1.5 empty:hidden">
        {receiptBadges(receipt).map(({ text, tone, hint }) => (
          <Badge key={text} {...(tone === undefined ? {} : { tone })} {...(hint === undefined ? {} : { hint })}>
            {text}
          </Badge>
        ))}
      </div>
    </div>
  )
}

function Waiting() {
  return (
    <div className="flex flex-col gap-6">
      <Skeleton className="h-20 w-full" />
      <Skeleton className="h-9 w-56" />
      <Skeleton className="h-32 w-full" />
      <Skeleton className="h-24 w-full" />
    </div>
  )
}

/** The person and team of an organization's request. */
function ownerFacts({ member, team }: Pick<Receipt, 'member' | 'team'>): readonly (readonly [string, ReactNode])[] {
  return [
    ...(member === null ? [] : [['Member', <span title={member.email}>{member.name}</span>] as const]),
    ...(team === null ? [] : [['Team', team.name ?? 'Deleted team'] as const]),
  ]
}
