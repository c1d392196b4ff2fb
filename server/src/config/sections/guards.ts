import { Type } from 'typebox'
import { count, milliseconds, optionalText, section } from '../setting-kinds.ts'

// What is refused: by pace, by content, or for want of a sign-in.

export const limits = section({
  inferenceLow: count(20, { description: 'Inference requests per minute and user with less than $10 of credit.' }),
  inferenceFunded: count(200, { maximum: 1_000_000_000, description: 'The same from $10 of credit on.' }),
  autoFreePerAddress: count(500, {
    maximum: 1_000_000_000,
    description: 'Free units per day that all calls of `auto:free` from one client address (IPv6: /64) share.',
  }),
  account: count(600, { description: 'Account reads and polls per minute and user.' }),
  unbilledUsd: Type.String({
    pattern: '^[0-9]{1,9}([.][0-9]{1,9})?$',
    default: '0.50',
    description:
      'Daily limit of unpaid answers for each wallet and client address, in USD: answers that the client abandons, and answers that are absorbed or refunded. The gateway also reserves against it what running requests may cost beyond their holds; a request that does not fit holds everything that it can cost. Beyond the limit, wallets that abandon answers are blocked, and requests of other wallets reserve the maximum cost of their model.',
    expects: 'a USD amount such as 0.50',
  }),
  unbilledPercent: Type.Integer({
    minimum: 0,
    maximum: 100,
    default: 5,
    description: 'The same limit as a percentage of the amount paid that day, if that is more.',
  }),
  signIn: count(30, {
    maximum: 1_000_000_000,
    description: 'Attempts to sign in or up or to have mail sent, per minute, for a client (IPv6: /64).',
  }),
  signInFailures: count(10, {
    maximum: 1_000_000_000,
    description:
      'Wrong passwords from one place (an IPv4 address or IPv6 /56) in 15 minutes before it pauses, and those of strangers for one account in an hour before each place pauses after its first. Also codes that a person tries to redeem in vain.',
  }),
})

export const filters = section({
  timeoutMs: milliseconds(250, {
    minimum: 50,
    description:
      'For the content filters of a request. Rules that refuse or redact refuse what they could not finish by then.',
  }),
})

export const moderation = section({
  engine: Type.Enum(['built-in', 'upstream', 'both', 'off'], {
    default: 'built-in',
    description: 'What judges prompts before they are sent: short policies of our own, a service, both, or nothing.',
  }),
  url: Type.Union([Type.String({ pattern: '^https?://' }), Type.Null()], {
    default: null,
    description: 'The service, up to and without `/moderations`. Every prompt is sent to it.',
    expects: 'an http:// or https:// URL',
  }),
  key: Type.Union([Type.String({ minLength: 1 }), Type.Null()], {
    default: null,
    description: 'What the service is called with, as a bearer token.',
  }),
  model: Type.String({
    minLength: 1,
    default: 'omni-moderation-latest',
    description: 'The model that the service is asked for.',
  }),
  timeoutMs: milliseconds(1_500, { maximum: 60_000, description: 'For the answer of the service.' }),
  whenDown: Type.Enum(['refuse', 'allow'], {
    default: 'refuse',
    description: 'What happens to prompts that cannot be judged: refused with 503, or sent all the same.',
  }),
  evidenceDays: count(90, { maximum: 3_650, description: 'How long blocked prompts are kept, sealed. Days.' }),
})

export const auth = section({
  googleClientId: optionalText('Lets people sign in with Google: the client id from its console.'),
  googleClientSecret: optionalText('The secret that belongs to it.'),
  githubClientId: optionalText('Lets people sign in with GitHub: the client id of your OAuth app.'),
  githubClientSecret: optionalText('The secret that belongs to it.'),
  secondFactor: Type.Boolean({
    default: true,
    description: 'Whether people may protect their account with codes of an authenticator app.',
  }),
  passkeys: Type.Boolean({
    default: false,
    description: 'Whether people may sign in with passkeys. They are bound to the host of `http.publicUrl`.',
  }),
})
