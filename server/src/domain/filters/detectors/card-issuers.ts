interface CardIssuer {
  readonly name: string
  /** First digits, from and to, both inclusive. */
  readonly ranges: readonly (readonly [string, string])[]
  readonly lengths: readonly number[]
  /** A length so common, and a range so narrow, that the digits count without context words. */
  readonly plainLength?: number
}

/** Card issuers: the ranges of large schemes, and of national ones that are used abroad. */
const cardIssuers: readonly CardIssuer[] = [
  { name: 'Visa', ranges: [['4', '4']], lengths: [13, 16, 19], plainLength: 16 },
  {
    name: 'Mastercard',
    ranges: [
      ['51', '55'],
      ['2221', '2720'],
    ],
    lengths: [16],
    plainLength: 16,
  },
  {
    name: 'American Express',
    ranges: [
      ['34', '34'],
      ['37', '37'],
    ],
    lengths: [15],
    plainLength: 15,
  },
  {
    name: 'Discover',
    ranges: [
      ['6011', '6011'],
      ['644', '649'],
      ['65', '65'],
    ],
    lengths: [16, 19],
    plainLength: 16,
  },
  {
    name: 'Diners Club',
    ranges: [
      ['300', '305'],
      ['3095', '3095'],
      ['36', '36'],
      ['38', '39'],
    ],
    lengths: [14, 16, 19],
  },
  { name: 'JCB', ranges: [['3528', '3589']], lengths: [16, 19], plainLength: 16 },
  {
    name: 'UnionPay',
    ranges: [
      ['62', '62'],
      ['81', '81'],
    ],
    lengths: [16, 17, 18, 19],
    plainLength: 16,
  },
  {
    name: 'Maestro',
    ranges: [
      ['5018', '5018'],
      ['5020', '5020'],
      ['5038', '5038'],
      ['5893', '5893'],
      ['6304', '6304'],
      ['6759', '6759'],
      ['6761', '6763'],
    ],
    lengths: [12, 13, 14, 15, 16, 17, 18, 19],
  },
  { name: 'Mir', ranges: [['2200', '2204']], lengths: [16, 17, 18, 19], plainLength: 16 },
  {
    name: 'RuPay',
    ranges: [
      ['60', '60'],
      ['508', '508'],
      ['82', '82'],
    ],
    lengths: [16],
  },
  { name: 'Troy', ranges: [['9792', '9792']], lengths: [16], plainLength: 16 },
  { name: 'Verve', ranges: [['506099', '506198']], lengths: [16, 18, 19] },
  {
    name: 'Elo',
    ranges: [
      ['4011', '4011'],
      ['4389', '4389'],
      ['5041', '5041'],
      ['5067', '5067'],
      ['5090', '5090'],
      ['6362', '6363'],
    ],
    lengths: [16],
  },
  { name: 'Dankort', ranges: [['5019', '5019']], lengths: [16] },
]

/**
 * `plain`: the number needs no context word. `explained`: it needs one, because many other numbers look like it.
 * Undefined: no issuer has such numbers.
 */
export function judgeIssuer(digits: string): 'plain' | 'explained' | undefined {
  const issuers = cardIssuers.filter(
    ({ ranges, lengths }) => lengths.includes(digits.length) && ranges.some((range) => isWithin(digits, range)),
  )
  if (issuers.length === 0) return undefined
  return issuers.some(({ plainLength }) => plainLength === digits.length) ? 'plain' : 'explained'
}

function isWithin(digits: string, [from, to]: readonly [string, string]): boolean {
  const head = digits.slice(0, from.length)
  return head >= from && head <= to
}
