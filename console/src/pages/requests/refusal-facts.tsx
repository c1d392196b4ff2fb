import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useWallet } from '../../app/wallet.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Time } from '../../ui/time.tsx'
import type { RefusedRequest } from './receipt-query.ts'
import { boundInWords, kindInWords } from './words.ts'

/** Why a request was refused, which limit bound it, and what to do. */
export function RefusalFacts({ refused }: { readonly refused: RefusedRequest }) {
  const { refusal, model, created_at, endpoint, api_key_name, member, team } = refused
  const facts: readonly (readonly [string, ReactNode])[] = [
    ['Model', model === null ? 'None' : <code className="font-mono text-xs">{model}</code>],
    ['Received', <Time iso={created_at} absolute />],
    ['Type', kindInWords(endpoint)],
    ['Response', `HTTP ${String(refusal.status)}`],
    ['Error code', <code className="font-mono text-xs">{String(refusal.code)}</code>],
    ...(refusal.limit === null ? [] : [['Limit', boundInWords(refusal.limit)] as const]),
    ['API key', api_key_name ?? 'Deleted key'],
    ...(member === null ? [] : [['Member', <span title={member.email}>{member.name}</span>] as const]),
    ...(team === null ? [] : [['Team', team.name ?? 'Deleted team'] as const]),
  ]
  return (
    <div className="flex flex-col gap-6">
      <div className="rounded-md bg-bad-soft px-3 py-2 text-sm">
        <p className="text-bad">
          <strong className="font-semibold">Refused.</strong> {refusal.reason}
        </p>
        <p className="mt-1">{refusal.remedy}</p>
      </div>
      <dl className="figures grid grid-cols-2 gap-x-6 gap-y-3 text-sm sm:grid-cols-3">
        {facts.map(([label, value]) => (
          <div key={label} className="min-w-0">
            <dt className="text-muted text-xs">{label}</dt>
            <dd className="break-words">{value}</dd>
          </div>
        ))}
      </dl>
      <Remedy limit={refusal.limit} />
      <p className="text-muted text-sm">
        No provider was called, and nothing was charged. The content of refused requests isn't stored.
      </p>
    </div>
  )
}

/** The page on which the limit can be changed, if there is one. */
function Remedy({ limit }: { readonly limit: string | null }) {
  const wallet = useWallet()
  if (limit === 'wallet') {
    return (
      <Link to="/credits" className={buttonClass('plain', 'normal', 'self-start')}>
        View credits
      </Link>
    )
  }
  if (limit?.startsWith('key_') === true && wallet.kind === 'person') {
    return (
      <Link to="/keys" className={buttonClass('plain', 'normal', 'self-start')}>
        View API keys
      </Link>
    )
  }
  return null
}
