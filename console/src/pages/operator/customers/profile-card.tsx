import type { ReactNode } from 'react'
import type { Customer } from '../../../api/customers.ts'
import type { ExactNumber } from '../../../lib/money.ts'
import { Facts } from '../../../ui/facts.tsx'
import { Money } from '../../../ui/money.tsx'
import { Card } from '../../../ui/page.tsx'
import { Time } from '../../../ui/time.tsx'

type Fact = readonly [label: string, value: ReactNode]

/** How a user signs in, or the terms of an organization, and the limits of either. */
export function ProfileCard({ customer }: { readonly customer: Customer }) {
  const { breaker, created_at: createdAt, suspended_at: suspendedAt } = customer
  return (
    <Card title={customer.kind === 'user' ? 'Profile and sign-in' : 'Profile and terms'}>
      <Facts
        facts={[
          ['Created', <Time key="created" iso={createdAt} />],
          ...(suspendedAt === null ? [] : [['Suspended', <Time key="at" iso={suspendedAt} />] satisfies Fact]),
          ...signInFacts(customer),
          ...termFacts(customer),
          ['Spend breaker per minute', limitOf(breaker.minute, breaker.enabled)],
          ['Spend breaker per hour', limitOf(breaker.hour, breaker.enabled)],
          [
            customer.kind === 'user' ? 'User ID' : 'Organization ID',
            <code key="id" className="break-all font-mono text-xs">
              {customer.id}
            </code>,
          ],
        ]}
      />
    </Card>
  )
}

function signInFacts({ sign_in: signIn }: Customer): readonly Fact[] {
  if (signIn === null) return []
  return [
    ['Email address', signIn.email_verified ? 'Verified' : 'Not verified'],
    ['Signs in with', waysOf(signIn)],
    ['Second factor', signIn.second_factor ? 'On' : 'Off'],
    ['Sessions', String(signIn.sessions)],
    ['Last seen', <Time key="seen" iso={signIn.last_seen_at} />],
  ]
}

function waysOf({ ways, passkeys }: NonNullable<Customer['sign_in']>): string {
  const all = [...ways, ...(Number(passkeys) > 0 ? ['passkey'] : [])]
  return all.length === 0 ? 'None yet' : all.join(', ')
}

function termFacts({ terms }: Customer): readonly Fact[] {
  if (terms === null) return []
  return [
    ['Plan', terms.plan],
    ['Billing', terms.billing === 'monthly' ? 'Monthly' : 'Prepaid'],
    ['Seats', terms.seats === null ? 'Unlimited' : String(terms.seats)],
    ['Weekly budget', limitOf(terms.weekly_budget)],
    ['Monthly budget', limitOf(terms.monthly_budget)],
  ]
}

function limitOf(amount: ExactNumber | null, isEnabled: boolean | null = true): ReactNode {
  if (isEnabled === false) return 'Off'
  return amount === null ? 'Not set' : <Money usd={amount} />
}
