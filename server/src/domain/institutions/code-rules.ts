/** How codes are asked for and guessed at. Requests are counted by what was submitted, whether or not it exists. */
export const codeRules = {
  digits: 6,
  attemptsMax: 5,
  cooldownS: 60,
  perClient: { max: 10, windowS: 900 },
  perKey: { max: 100, windowS: 3_600 },
} as const
