import { scopeOf } from '#domain/limits/scopes.ts'
import { type ErrorName, errorCatalogue } from '#errors/catalogue.ts'
import type { Refusal } from './refusal.ts'

export interface RefusalExplanation {
  /** One sentence that says what happened. */
  readonly reason: string
  /** One sentence that says what to do. */
  readonly remedy: string
}

/** Why a request was refused and what to do, in words for its owner. The message of its error is not kept. */
export function explainRefusal({ error, boundBy }: Pick<Refusal, 'error' | 'boundBy'>): RefusalExplanation {
  const bound = boundBy === null ? undefined : (bounds[boundBy] ?? explainScope(boundBy))
  if (bound !== undefined) return bound
  return isErrorName(error) ? (reasons[error] ?? byStatus(error)) : unknown
}

function explainScope(kind: string): RefusalExplanation | undefined {
  const scope = scopeOf(kind)
  if (scope === undefined) return undefined
  const remedy =
    scope.refusal === 'spendBreakerTripped'
      ? 'Wait until the breaker closes, or raise its limit.'
      : 'Wait until the period ends, or raise the limit.'
  return { reason: `The ${scope.title} was reached.`, remedy: scope.length === 'life' ? 'Raise the limit.' : remedy }
}

const wallet = {
  reason: 'The balance did not cover the amount that the request reserves.',
  remedy: 'Add credit, or lower max_tokens.',
}
const customerBalance = {
  reason: "The customer's prepaid balance did not cover the amount that the request reserves.",
  remedy: "Add money to the customer's balance, or lower max_tokens.",
}
// The limits of runs and tokens cannot change.
const runBudget = {
  reason: "The run's budget was reached.",
  remedy: 'Use another run id, with a larger budget.',
}
const tokenLimit = {
  reason: "The customer token's limit was reached.",
  remedy: 'Create a token with a higher limit.',
}
const keyType = {
  reason: 'This kind of API key cannot use this endpoint.',
  remedy: 'Use a standard key for inference.',
}
const suspended = { reason: 'The account is suspended.', remedy: 'Contact support.' }

/** Limits that are no spend limit. */
const bounds: Readonly<Record<string, RefusalExplanation>> = {
  wallet,
  customer_balance: customerBalance,
  run_life: runBudget,
  token_life: tokenLimit,
  invoice: { reason: 'An overdue invoice closed the credit line.', remedy: 'Pay the invoice.' },
  key_disabled: { reason: 'The API key is disabled.', remedy: 'Enable the key, or use another one.' },
  key_expired: { reason: 'The API key has expired.', remedy: 'Create a new key, or extend its expiry.' },
  key_networks: {
    reason: "The client's address is not among the key's allowed networks.",
    remedy: 'Add the network to the key. If you do not know the client, revoke the key.',
  },
  key_type: keyType,
  account: suspended,
}

const wrongRequest = {
  reason: 'The request was not valid.',
  remedy: 'Read the message of the error response, and correct the request.',
}
const notFoundModel = { reason: 'The model does not exist.', remedy: 'Choose a model from the list of models.' }
const slowDown = { reason: 'The rate limit was exceeded.', remedy: 'Wait as long as Retry-After says, then retry.' }
const ours = { reason: 'The gateway could not serve the request.', remedy: 'Retry. If it persists, contact support.' }
const unknown = { reason: 'The request was refused.', remedy: 'Read the message of the error response.' }

const reasons: Partial<Readonly<Record<ErrorName, RefusalExplanation>>> = {
  insufficientCredits: wallet,
  creditLimitExceeded: {
    reason: "The organization's credit line did not cover the request.",
    remedy: 'Pay the open invoice, or ask for a higher credit line.',
  },
  spendLimitExceeded: { reason: 'A spend limit was reached.', remedy: 'Raise the limit, or wait until it resets.' },
  budgetCapReached: { reason: 'A budget was reached.', remedy: 'Raise the budget, or wait until the period ends.' },
  customerBalanceTooLow: customerBalance,
  customerLimitReached: { reason: "A customer's limit was reached.", remedy: "Raise the customer's limit." },
  customerSuspended: { reason: 'The customer is suspended.', remedy: 'Resume the customer.' },
  runBudgetReached: runBudget,
  runStopped: { reason: 'The run is stopped.', remedy: 'Use another run id to continue.' },
  runConflict: {
    reason: 'The request names a different budget, parent or rules than its run has.',
    remedy: 'Send budget, parent and rules only with the first request, or use another run id.',
  },
  tooManyRuns: {
    reason: 'The account has the maximum number of runs.',
    remedy: 'Reuse the id of a known run, or ask the operator to raise the maximum.',
  },
  tooManyTags: {
    reason: 'The account has the maximum number of different tags.',
    remedy: 'Use known tags, or ask the operator for a higher maximum.',
  },
  tooManyCustomers: {
    reason: 'The account has the maximum number of customers.',
    remedy: 'Reuse the ids of known customers, or ask the operator for a higher maximum.',
  },
  spendBreakerTripped: { reason: 'A spend breaker was open.', remedy: 'Wait until it closes, or raise its limit.' },
  unauthenticated: {
    reason: 'The API key is disabled, expired or bound to other networks.',
    remedy: 'Check the settings of the key.',
  },
  forbidden: keyType,
  accountSuspended: suspended,
  modelNotFound: notFoundModel,
  unknownModel: notFoundModel,
  modelRetired: { reason: 'The model is retired.', remedy: 'Choose another model.' },
  contextTooLong: {
    reason: "The prompt is longer than the model's context.",
    remedy: 'Shorten the prompt, or choose a model with a longer context.',
  },
  modelNotAllowed: {
    reason: 'The organization does not allow the model.',
    remedy: 'Choose an allowed model, or ask an administrator to allow this one.',
  },
  contentFilter: {
    reason: 'A content filter of the organization matched.',
    remedy: 'Change the prompt, or ask an administrator about the filter.',
  },
  promptInjection: {
    reason: 'A filter against prompt injection matched.',
    remedy: 'Change the prompt, or ask an administrator about the filter.',
  },
  contentModeration: { reason: 'Moderation rejected the content.', remedy: 'Change the prompt.' },
  rateLimited: slowDown,
  penaltyBlocked: { ...slowDown, reason: 'The rate limit was exceeded repeatedly.' },
  freeQuotaUsed: { reason: 'The quota of free requests is used up.', remedy: 'Wait until tomorrow, or add credit.' },
  sessionQuotaUsed: { reason: "The session's quota is used up.", remedy: 'Verify again to start a new session.' },
  brakeEngaged: { reason: 'The operator paused all inference.', remedy: 'Retry later.' },
  modelNotServed: {
    reason: 'No provider serves the model with these preferences.',
    remedy: 'Relax the provider preferences, or choose another model.',
  },
  noUpstream: {
    reason: 'All providers of the model were temporarily unavailable.',
    remedy: 'Retry, or name a fallback model.',
  },
}

function byStatus(error: ErrorName): RefusalExplanation {
  const { status } = errorCatalogue[error]
  if (status >= 500) return ours
  return status === 429 ? slowDown : wrongRequest
}

function isErrorName(error: string): error is ErrorName {
  return Object.hasOwn(errorCatalogue, error)
}

/** The code of the error's response. Errors of other versions have their status. */
export function refusalCode({ error, status }: Pick<Refusal, 'error' | 'status'>): string | number {
  return isErrorName(error) ? errorCatalogue[error].code : status
}
