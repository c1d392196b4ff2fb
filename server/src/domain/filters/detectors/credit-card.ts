import type { Span } from '../text/span.ts'
import { judgeIssuer } from './card-issuers.ts'
import { serialContext, textAfter, textBefore } from './context.ts'
import type { Detector } from './detector.ts'
import { type DigitRun, digitRuns } from './digit-runs.ts'

/**
 * Payment card numbers: digits in the printed groups of cards, with an issuer's length and range and a valid check
 * digit. Ungrouped digits must not be labeled as an order or serial number.
 */
export const findCreditCards: Detector = (text) => digitRuns(text, 12).flatMap((run) => cardsIn(text, run))

/** Lengths of the groups as printed on cards. */
const printedShapes = new Set([
  '4-4-4-4',
  '4-6-5',
  '4-6-4',
  '4-4-4-4-3',
  '4-4-4-4-2',
  '4-4-4-4-1',
  '4-4-4-1',
  '4-4-4',
  '6-13',
  '4-5-6',
  '4-4-5',
])
const digitsMax = 19
const groupsMax = 5

function cardsIn(text: string, run: DigitRun): Span[] {
  const found: Span[] = []
  for (let first = 0; first < run.groups.length; first += 1) {
    const last = findCard(text, run, first)
    if (last === undefined) continue
    found.push(run.spanOf(first, last))
    first = last
  }
  return found
}

/** The index of the last group of the longest card that starts at this group. */
function findCard(text: string, run: DigitRun, first: number): number | undefined {
  let digits = ''
  let found: number | undefined
  const end = Math.min(run.groups.length, first + groupsMax)
  for (let last = first; last < end && digits.length < digitsMax; last += 1) {
    digits += run.groups[last]?.digits ?? ''
    if (digits.length >= 12 && digits.length <= digitsMax && isCard(text, run, { first, last, digits })) found = last
  }
  return found
}

function isCard(text: string, run: DigitRun, part: { first: number; last: number; digits: string }): boolean {
  const { first, last, digits } = part
  const issuer = judgeIssuer(digits)
  if (issuer === undefined || !passesLuhn(digits) || !run.standsAlone(first, last)) return false
  if (first !== last) {
    const isPrinted = printedShapes.has(run.shapeOf(first, last)) && run.isEvenlySeparated(first, last)
    return isPrinted && !isPartOfSeries(run, first, last)
  }
  const before = textBefore(text, run.spanOf(first, last), 60)
  if (cardContext.test(before)) return true
  const isAmount = unitAfter.test(textAfter(text, run.spanOf(first, last), 12))
  return issuer === 'plain' && !isAmount && !serialContext.test(before)
}

/** Four digits before or after indicate a table of years or amounts, unless the whole run is cards. */
function isPartOfSeries(run: DigitRun, first: number, last: number): boolean {
  const neighbours = [run.groups[first - 1], run.groups[last + 1]]
  return neighbours.some((group) => group?.digits.length === 4) && run.groups.length % 4 !== 0
}

const cardContext =
  /card|visa|mastercard|maestro|amex|american express|discover|diners|jcb|unionpay|\bcc\b|\bpan\b|karte|kaart|carte|carta|tarjeta|cart[aã]o|kort|karta|kart[ıa]|карт|卡|カード|카드|بطاقة|कार्ड/iu
/** Digits before a unit are a count, not a card. */
const unitAfter =
  /^ ?(?:[kmgt]i?b|bytes?|bits?|[mnµ]?s|ms|rows?|records?|items?|users?|tokens?|wei|satoshi|usd|eur|%)(?![\p{L}])/iu

/** Whether the digits end in the check digit of ISO/IEC 7812. */
function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let at = 0; at < digits.length; at += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - at) - 48
    const doubled = at % 2 === 0 ? digit : digit * 2
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}
