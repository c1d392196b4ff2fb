import { describe, expect, it } from 'vitest'
import { scopes } from '#domain/limits/scopes.ts'
import { errorCatalogue } from '#errors/catalogue.ts'
import { explainRefusal, refusalCode } from './explain-refusal.ts'

const wrong = 'The request was not valid.'
const ours = 'The gateway could not serve the request.'
const slow = 'The rate limit was exceeded.'

describe('the explanation of a refusal', () => {
  it.each([
    ['insufficientCredits', 'wallet', 'The balance did not cover the amount that the request reserves.'],
    ['creditLimitExceeded', 'invoice', 'An overdue invoice closed the credit line.'],
    ['unauthenticated', 'key_disabled', 'The API key is disabled.'],
    ['unauthenticated', 'key_expired', 'The API key has expired.'],
    ['unauthenticated', 'key_networks', "The client's address is not among the key's allowed networks."],
    ['forbidden', 'key_type', 'This kind of API key cannot use this endpoint.'],
    ['accountSuspended', 'account', 'The account is suspended.'],
    ['runBudgetReached', 'run_life', "The run's budget was reached."],
    ['customerLimitReached', 'token_life', "The customer token's limit was reached."],
    ['runBudgetReached', null, "The run's budget was reached."],
    ['spendLimitExceeded', 'key_day', "The key's daily spend limit was reached."],
    ['budgetCapReached', 'team_month', "The team's monthly budget was reached."],
    ['insufficientCredits', null, 'The balance did not cover the amount that the request reserves.'],
    ['creditLimitExceeded', null, "The organization's credit line did not cover the request."],
    ['spendLimitExceeded', null, 'A spend limit was reached.'],
    ['budgetCapReached', null, 'A budget was reached.'],
    ['spendBreakerTripped', null, 'A spend breaker was open.'],
    ['unauthenticated', null, 'The API key is disabled, expired or bound to other networks.'],
    ['forbidden', null, 'This kind of API key cannot use this endpoint.'],
    ['accountSuspended', null, 'The account is suspended.'],
    ['modelNotAllowed', null, 'The organization does not allow the model.'],
    ['modelNotFound', null, 'The model does not exist.'],
    ['unknownModel', null, 'The model does not exist.'],
    ['contextTooLong', null, "The prompt is longer than the model's context."],
    ['rateLimited', null, slow],
    ['penaltyBlocked', null, 'The rate limit was exceeded repeatedly.'],
    ['freeQuotaUsed', null, 'The quota of free requests is used up.'],
    ['sessionQuotaUsed', null, "The session's quota is used up."],
    ['brakeEngaged', null, 'The operator paused all inference.'],
    ['modelNotServed', null, 'No provider serves the model with these preferences.'],
    ['malformedRequest', null, wrong],
    ['conflict', null, wrong],
    ['upstreamRateLimited', null, slow],
    ['storeUnavailable', null, ours],
    ['internal', null, ours],
    ['rateLimited', 'a limit of a later version', slow],
    ['anErrorOfALaterVersion', null, 'The request was refused.'],
    ['toString', null, 'The request was refused.'],
  ])('of %s bound by %s begins with what happened', (error, boundBy, reason) => {
    expect(explainRefusal({ error, boundBy }).reason).toBe(reason)
  })

  it.each([
    ['key_life', 'Raise the limit.'],
    ['session_life', 'Raise the limit.'],
    ['key_month', 'Wait until the period ends, or raise the limit.'],
    ['organization_week', 'Wait until the period ends, or raise the limit.'],
    ['team_hour', 'Wait until the breaker closes, or raise its limit.'],
    ['user_minute', 'Wait until the breaker closes, or raise its limit.'],
    ['run_life', 'Use another run id, with a larger budget.'],
    ['token_life', 'Create a token with a higher limit.'],
    ['customer_balance', "Add money to the customer's balance, or lower max_tokens."],
  ])('by the limit %s says what to do', (boundBy, remedy) => {
    expect(explainRefusal({ error: 'spendLimitExceeded', boundBy }).remedy).toBe(remedy)
  })

  it('exists for each error and each spend limit, in whole sentences', () => {
    const all = [
      ...Object.keys(errorCatalogue).map((error) => explainRefusal({ error, boundBy: null })),
      ...scopes.map(({ kind, refusal }) => explainRefusal({ error: refusal, boundBy: kind })),
    ]
    for (const { reason, remedy } of all) {
      expect(reason).toMatch(/^[A-Z].+\.$/)
      expect(remedy).toMatch(/^[A-Z].+\.$/)
    }
  })
})

describe('the code of a refusal', () => {
  it.each([
    ['insufficientCredits', 402, 'insufficient_credits'],
    ['rateLimited', 429, 429],
    ['anErrorOfALaterVersion', 418, 418],
    ['toString', 418, 418],
  ])('%s with %i is %s', (error, status, code) => {
    expect(refusalCode({ error, status })).toBe(code)
  })
})
