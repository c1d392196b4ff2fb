import type { CustomerView } from '#control/customers/read-customer.ts'
import { nanoUsd, nullableUsdJson, usdJson } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Customer, CustomerKey, CustomerListing, CustomerName, CustomerNote } from '#ports/customers.ts'
import { renderTopUp } from '../payments/render-top-up.ts'
import { renderWallet } from '../wallets/render-wallet.ts'

export function renderCustomer({ customer, wallet, payments }: CustomerView): JsonObject {
  return {
    ...renderFacts(customer),
    wallet: renderWallet(wallet),
    sign_in: renderSignIn(customer),
    terms: renderTerms(customer),
    breaker: {
      enabled: customer.breaker.enabled,
      minute: nullableUsdJson(customer.breaker.minute),
      hour: nullableUsdJson(customer.breaker.hour),
    },
    keys: customer.keys.map(renderKey),
    key_count: customer.keyCount,
    places: customer.places.map((place) => ({ ...place })),
    place_count: customer.placeCount,
    payments: payments.map(renderTopUp),
    notes: customer.notes.map(renderNote),
  }
}

export function renderListing(listing: CustomerListing): JsonObject {
  const { balance, held, creditLine } = listing
  return {
    ...renderFacts(listing),
    balance: usdJson(balance),
    held: usdJson(held),
    available: usdJson(nanoUsd(balance + creditLine - held)),
  }
}

export function renderNote({ id, text, author, createdAtMs }: CustomerNote): JsonObject {
  return { id, text, author, created_at: new Date(createdAtMs).toISOString() }
}

export function renderName(name: CustomerName | undefined): JsonObject | null {
  return name === undefined ? null : { ...name }
}

function renderFacts({ kind, id, walletId, name, address, suspendedAtMs, createdAtMs }: CustomerListing): JsonObject {
  return {
    kind,
    id,
    wallet_id: walletId,
    name,
    address,
    suspended_at: momentJson(suspendedAtMs),
    created_at: new Date(createdAtMs).toISOString(),
  }
}

function renderSignIn({ signIn }: Customer): JsonObject | null {
  if (signIn === null) return null
  return {
    email_verified: signIn.emailVerified,
    ways: [...signIn.ways],
    passkeys: signIn.passkeys,
    second_factor: signIn.secondFactor,
    sessions: signIn.sessions,
    last_seen_at: momentJson(signIn.lastSeenAtMs),
  }
}

function renderTerms({ terms }: Customer): JsonObject | null {
  if (terms === null) return null
  return {
    plan: terms.plan,
    billing: terms.billing,
    seats: terms.seats,
    weekly_budget: nullableUsdJson(terms.weeklyBudget),
    monthly_budget: nullableUsdJson(terms.monthlyBudget),
  }
}

function renderKey({ id, name, shown, type, enabled, limit, period, ...times }: CustomerKey): JsonObject {
  return {
    id,
    name,
    shown,
    type,
    enabled,
    limit: nullableUsdJson(limit),
    period,
    expires_at: momentJson(times.expiresAtMs),
    revoked_at: momentJson(times.revokedAtMs),
    created_at: new Date(times.createdAtMs).toISOString(),
  }
}

function momentJson(moment: number | null): string | null {
  return moment === null ? null : new Date(moment).toISOString()
}
