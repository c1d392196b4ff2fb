import { Type } from 'typebox'
import { count, milliseconds, optionalText, section, optionalSecret } from '../setting-kinds.ts'

// Rate limits, content filters and sign-in requirements.

export const limits = section({
  inferenceLow: count(20, { description: 'Inference requests per minute for each user with less than $10 of credit.' }),
  inferenceFunded: count(200, {
    maximum: 1_000_000_000,
    description: 'Inference requests per minute for each user with $10 of credit or more.',
  }),
  autoFreePerAddress: count(500, {
    maximum: 1_000_000_000,
    description: 'Daily free units for `auto:free`, shared by all requests from one client address (IPv6: /64).',
  }),
  account: count(600, { description: 'Account reads and status polls per minute for each user.' }),
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
    description: 'Sign-in, sign-up and email requests per minute for each client address (IPv6: /64).',
  }),
  signInFailures: count(10, {
    maximum: 1_000_000_000,
    description:
      'Failed passwords per network (an IPv4 address or IPv6 /56) in 15 minutes before that network must wait. After the same number of failures by unknown devices on one account in an hour, every network must wait after its first failure. Also limits failed code redemptions per user.',
  }),
  tagsMax: count(1_000, {
    maximum: 1_000_000,
    description:
      'Maximum number of different tags that the requests of a wallet can have (`X-Weir-Tags`). Known tags are accepted beyond it.',
  }),
  runsMax: count(1_000_000, {
    maximum: 1_000_000_000,
    description:
      'Maximum number of runs that a wallet can have (`X-Weir-Run`, `/v1/runs`). Known runs are served beyond it.',
  }),
  customersMax: count(1_000_000, {
    maximum: 1_000_000_000,
    description:
      'Maximum number of customers that the owner of a wallet can have (`X-Weir-Customer`, `/v1/customers`). Known customers are served beyond it.',
  }),
  organizationsPerUser: Type.Integer({
    minimum: 0,
    maximum: 1000,
    default: 0,
    description: 'Organizations that each user can create in the console. With 0, only operators create organizations.',
  }),
})

export const filters = section({
  timeoutMs: milliseconds(250, {
    minimum: 50,
    description:
      'Timeout for the content filters of a request, in ms. If a rule that blocks or redacts times out, the request is rejected.',
  }),
})

export const moderation = section({
  engine: Type.Enum(['built-in', 'upstream', 'both', 'off'], {
    default: 'built-in',
    description:
      'Moderation of prompts before they are sent upstream: `built-in` policies, an `upstream` moderation service, `both`, or `off`.',
  }),
  url: Type.Union([Type.String({ pattern: '^https?://' }), Type.Null()], {
    default: null,
    description: 'Base URL of the moderation service, without `/moderations`. Every prompt is sent to it.',
    expects: 'an http:// or https:// URL',
  }),
  key: Type.Union([Type.String({ minLength: 1 }), Type.Null()], {
    default: null,
    description: 'Bearer token for the moderation service.',
    isSecret: true,
  }),
  model: Type.String({
    minLength: 1,
    default: 'omni-moderation-latest',
    description: 'Model to request from the moderation service.',
  }),
  timeoutMs: milliseconds(1_500, {
    maximum: 60_000,
    description: 'Response timeout for the moderation service, in ms.',
  }),
  whenDown: Type.Enum(['refuse', 'allow'], {
    default: 'refuse',
    description:
      'Handling of prompts that cannot be moderated: `refuse` fails the request with 503, `allow` sends the prompt upstream.',
  }),
  evidenceDays: count(90, {
    maximum: 3_650,
    description: 'Retention of blocked prompts, in days. They are stored encrypted.',
  }),
})

export const auth = section({
  googleClientId: optionalText('OAuth client ID from the Google console. Enables sign-in with Google.'),
  googleClientSecret: optionalSecret('Client secret for `auth.googleClientId`.'),
  githubClientId: optionalText('Client ID of your GitHub OAuth app. Enables sign-in with GitHub.'),
  githubClientSecret: optionalSecret('Client secret for `auth.githubClientId`.'),
  secondFactor: Type.Boolean({
    default: true,
    description: 'Whether users can protect their account with codes from an authenticator app.',
  }),
  operatorSecondFactor: Type.Boolean({
    default: true,
    description:
      'Whether operators must sign in with a second factor. `weir dev` turns it off; other installations must not, so `false` requires that `http.publicUrl` is on this machine.',
  }),
  passkeys: Type.Boolean({
    default: false,
    description: 'Whether users can sign in with passkeys. Passkeys are bound to the host of `http.publicUrl`.',
  }),
})
