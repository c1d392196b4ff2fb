/** Objects of the simulated provider, in Stripe's terms, as far as they are read. */

export interface Session {
  id: string
  object: 'checkout.session'
  mode: 'payment' | 'setup'
  customer: string | null
  livemode: boolean
  status: 'open' | 'complete' | 'expired'
  payment_status: 'unpaid' | 'paid'
  amount_total: number
  currency: string
  client_reference_id: string | null
  metadata: Record<string, string>
  payment_intent: string | null
  url: string | null
  success_url: string
  cancel_url: string
  expires_at: number
  created: number
  lines: { name: string; amount: number }[]
}

export interface Customer {
  id: string
  object: 'customer'
  metadata: Record<string, string>
  created: number
}

/** The bank's response to an off-session charge of a card. */
export type CardTemper = 'pays' | 'declines' | 'asks' | 'takes time'

export interface Method {
  id: string
  object: 'payment_method'
  type: 'card'
  customer: string | null
  card: { brand: string; last4: string; exp_month: number; exp_year: number }
  temper: CardTemper
  created: number
}

export interface Payment {
  id: string
  object: 'payment_intent'
  livemode: boolean
  status: 'processing' | 'succeeded' | 'requires_payment_method'
  amount: number
  amount_received: number
  customer: string | null
  payment_method: string | null
  last_payment_error: { code: string; decline_code: string | null } | null
  currency: string
  metadata: Record<string, string>
  latest_charge: string | null
  created: number
}

export interface Charge {
  id: string
  object: 'charge'
  livemode: boolean
  amount: number
  amount_refunded: number
  currency: string
  disputed: boolean
  refunded: boolean
  metadata: Record<string, string>
  payment_intent: string
  balance_transaction: string
  created: number
}

export interface Refund {
  id: string
  object: 'refund'
  amount: number
  currency: string
  status: 'succeeded' | 'failed'
  charge: string
  payment_intent: string
  metadata: Record<string, string>
  balance_transaction: string
  failure_balance_transaction?: string
  created: number
}

export interface Dispute {
  id: string
  object: 'dispute'
  livemode: boolean
  amount: number
  currency: string
  status: 'warning_needs_response' | 'needs_response' | 'won' | 'lost'
  reason: string
  evidence_details: { due_by: number | null }
  charge: string
  payment_intent: string
  metadata: Record<string, string>
  balance_transactions: Line[]
  created: number
}

/** A line of the provider's own ledger. */
export interface Line {
  id: string
  object: 'balance_transaction'
  type: 'charge' | 'refund' | 'refund_failure' | 'adjustment' | 'payout' | 'stripe_fee'
  amount: number
  fee: number
  net: number
  currency: string
  source: string | null
  created: number
}

export interface ProviderEvent {
  id: string
  object: 'event'
  api_version: string
  type: string
  livemode: boolean
  created: number
  data: { object: unknown }
}
