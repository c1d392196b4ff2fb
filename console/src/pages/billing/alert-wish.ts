import type { AlertWish, WalletAlerts } from '../../api/alerts.ts'
import { exactUsd, toNano } from '../../lib/money.ts'

/** The form's values: lists are strings such as `5, 20`. */
export interface AlertFields {
  readonly mail: boolean
  readonly webhookUrl: string
  readonly balances: string
  readonly budgetPercents: string
}

export function alertFields({
  mail,
  webhook_url: url,
  balances,
  budget_percents: percents,
}: WalletAlerts): AlertFields {
  return {
    mail,
    webhookUrl: url ?? '',
    balances: balances.map((usd) => exactUsd(toNano(usd))).join(', '),
    budgetPercents: percents.join(', '),
  }
}

export function alertWish({ mail, webhookUrl, balances, budgetPercents }: AlertFields): AlertWish {
  const url = webhookUrl.trim()
  return {
    mail,
    webhookUrl: url === '' ? null : url,
    balances: partsOf(balances),
    budgetPercents: partsOf(budgetPercents).map(Number),
  }
}

/** Returns the error for a typed list, or undefined if it is valid. */
export function judgeBalances(text: string): string | undefined {
  const isGood = partsOf(text).every((part) => /^\d{1,9}(?:\.\d{1,9})?$/.test(part))
  return isGood ? judgeCount(text) : 'Enter amounts in USD separated by commas, such as 5, 20.'
}

export function judgePercents(text: string): string | undefined {
  const isGood = partsOf(text).every((part) => /^(?:100|[1-9]\d?)$/.test(part))
  return isGood ? judgeCount(text) : 'Enter whole percentages from 1 to 100 separated by commas, such as 80, 100.'
}

function judgeCount(text: string): string | undefined {
  return partsOf(text).length <= 10 ? undefined : 'Enter no more than 10 values.'
}

function partsOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((part) => part !== '')
}
