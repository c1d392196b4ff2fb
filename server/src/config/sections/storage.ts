import { Type } from 'typebox'
import { atLeastOrNull, count, milliseconds, optionalText, section } from '../setting-kinds.ts'

// Where data is kept, and for how long.

export const postgres = section({
  url: Type.String({
    pattern: '^postgres(ql)?://',
    default: 'postgres://postgres@127.0.0.1:5432/weir',
    description:
      'Where money, keys and records are kept. Of several servers (`…@one:5432,two:5432/weir`) the one that takes writes is used.',
    expects: 'a postgres:// URL',
  }),
  poolMax: count(10, {
    maximum: 1_000,
    description: 'Connections per process, beside those for batches of holds, settles and audit entries.',
  }),
  budgetMs: milliseconds(2_000, {
    description:
      'For a connection, and for looking up a key or filter rules; afterwards the request is refused with 503.',
  }),
  replicaUrl: Type.Union([Type.String({ pattern: '^postgres(ql)?://' }), Type.Null()], {
    default: null,
    description: 'A standby that answers pages about usage. Unset: the primary does.',
    expects: 'a postgres:// URL',
  }),
  replicaLagMaxMs: milliseconds(10_000, {
    minimum: 2_000,
    maximum: 300_000,
    description: 'How far the standby may be behind; beyond it the primary answers.',
  }),
})

export const redis = section({
  url: Type.String({
    pattern: '^(rediss?|redis\\+sentinel)://',
    default: 'redis://127.0.0.1:6379',
    description:
      'Where requests are counted and cache invalidations travel. `redis+sentinel://one,two,three/NAME` names sentinels.',
    expects: 'a redis://, rediss:// or redis+sentinel:// URL',
  }),
  prefix: Type.String({
    maxLength: 64,
    pattern: '^[^\\s{}]*$',
    default: 'weir:',
    description: 'Begins the name of every key and channel: deployments that share one Redis need one each.',
    expects: 'a string without spaces and braces',
  }),
  budgetMs: milliseconds(50, { description: 'For a rate check; afterwards the process counts by itself.' }),
})

export const dataDir = Type.String({
  minLength: 1,
  default: '.weir',
  description:
    'Folder for settles that Postgres could not take at once, and for uploaded files while they are used. It must survive a restart.',
})

export const blobs = section({
  kind: Type.Enum(['files', 's3'], {
    default: 'files',
    description: 'Where images are kept: in a folder that all processes share, on one machine, or in a bucket of S3.',
  }),
  folder: optionalText('The folder. Unset: `blobs` inside of `dataDir`.'),
  s3Bucket: optionalText('The bucket. Required with `s3`.'),
  s3Region: optionalText('Its region. Required with `s3`; what speaks S3 without having regions takes `us-east-1`.'),
  s3Endpoint: Type.Union([Type.String({ pattern: '^https?://' }), Type.Null()], {
    default: null,
    description: 'Who is asked. Unset: Amazon.',
    expects: 'an http:// or https:// URL',
  }),
  s3AccessKeyId: optionalText('Who asks. Unset: what the machine or its environment says, as with any AWS tool.'),
  s3SecretAccessKey: optionalText('The secret that belongs to it.'),
  s3PathStyle: Type.Boolean({
    default: false,
    description: 'Whether the bucket stands in the path instead of in the host name, as most others than Amazon want.',
  }),
  imageRetentionMs: milliseconds(3_600_000, {
    minimum: 3_600_000,
    description:
      'How long images are kept, from the end of the hour in which they were made. Their URLs hold for an hour.',
  }),
})

export const retention = section({
  generationsDays: atLeastOrNull(400, {
    minimum: 35,
    description:
      'How many days the records of requests are kept; `null`: for ever. What they add up to is always kept.',
  }),
  hoursMonths: atLeastOrNull(13, {
    minimum: 2,
    description: 'How many months sums by the hour are kept; `null`: for ever. Those by the day and month always are.',
  }),
})

export const revisions = section({
  pollMs: milliseconds(1_000, {
    minimum: 10,
    description: 'How often a process looks for changed routes and prices.',
  }),
})
