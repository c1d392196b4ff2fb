import type { Mail } from '#ports/mailer.ts'

/** The mail with a code. The code comes first, and the only number with as many digits is the code. */
export function codeMail(input: {
  code: string
  organizationName: string
  ttlS: number
}): Pick<Mail, 'subject' | 'text'> {
  const { code, organizationName, ttlS } = input
  const name = plainName(organizationName)
  const lines = [
    'Your code:',
    '',
    `    ${code}`,
    '',
    `It lets you use AI models at the expense of ${name === '' ? 'your institution' : name}. It works once, within ${duration(ttlS)}.`,
    'If you did not ask for a code, ignore this mail: without it nobody gets in with your address.',
    '',
  ]
  return { subject: 'Your access code', text: lines.join('\n') }
}

/**
 * Organizations choose their own names, and whoever gets the mail may never have heard of them. What a mail program would
 * make a link of, or what looks like a code, is taken out.
 */
function plainName(name: string): string {
  const plain = name
    .normalize('NFC')
    .replaceAll(/\.(?! |$)/g, ' ')
    .replaceAll(/[^\p{L}\p{M}\p{N} .,'’&()-]/gu, ' ')
    .replaceAll(/\d{5,}/g, ' ')
    .replaceAll(/ +/g, ' ')
    .trim()
  return Array.from(plain).slice(0, 80).join('')
}

function duration(seconds: number): string {
  if (seconds % 3_600 === 0) return seconds === 3_600 ? 'an hour' : `${seconds / 3_600} hours`
  return seconds < 120 ? `${seconds} seconds` : `${Math.floor(seconds / 60)} minutes`
}
