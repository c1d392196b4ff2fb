import { Type } from 'typebox'
import { atLeastOrNull, count, milliseconds, optionalText, section, optionalSecret } from '../setting-kinds.ts'

// Data storage and retention.

export const postgres = section({
  url: Type.String({
    pattern: '^postgres(ql)?://',
    default: 'postgres://postgres@127.0.0.1:5432/weir',
    description:
      'Postgres database for money, keys and records. With several servers (`…@one:5432,two:5432/weir`), Weir uses the one that accepts writes.',
    expects: 'a postgres:// URL',
  }),
  poolMax: count(10, {
    maximum: 1_000,
    description: 'Connections per process, in addition to those for batches of holds, settlements and audit entries.',
  }),
  budgetMs: milliseconds(2_000, {
    description:
      'Timeout for acquiring a connection, and for looking up a key or filter rules, in ms. After it, the request fails with 503.',
  }),
  diskGb: Type.Union([Type.Integer({ minimum: 1, maximum: 1_048_576 }), Type.Null()], {
    default: null,
    description:
      'Size of the disk that Postgres writes to, in GB. With it, `weir doctor` and an alert tell when the database fills the disk.',
    expects: 'an integer from 1 to 1048576, or null',
  }),
  replicaUrl: Type.Union([Type.String({ pattern: '^postgres(ql)?://' }), Type.Null()], {
    default: null,
    description: 'Standby that serves usage pages. Unset: the primary serves them.',
    expects: 'a postgres:// URL',
  }),
  replicaLagMaxMs: milliseconds(10_000, {
    minimum: 2_000,
    maximum: 300_000,
    description: 'Maximum replication lag of the standby, in ms. Above it, the primary serves usage pages.',
  }),
})

export const redis = section({
  url: Type.String({
    pattern: '^(rediss?|redis\\+sentinel)://',
    default: 'redis://127.0.0.1:6379',
    description:
      'Redis server for rate limit counters and cache invalidations. Use `redis+sentinel://one,two,three/NAME` to connect through sentinels.',
    expects: 'a redis://, rediss:// or redis+sentinel:// URL',
  }),
  prefix: Type.String({
    maxLength: 64,
    pattern: '^[^\\s{}]*$',
    default: 'weir:',
    description:
      'Prefix of every key and channel name. Deployments that share one Redis must each use their own prefix.',
    expects: 'a string without spaces and braces',
  }),
  budgetMs: milliseconds(50, {
    description: 'Timeout for a rate check, in ms. After it, the process falls back to its own counters.',
  }),
})

export const dataDir = Type.String({
  minLength: 1,
  default: '.weir',
  description:
    'Directory for settlements that Postgres could not accept immediately and for uploaded files in use. It must survive a restart.',
})

export const blobs = section({
  kind: Type.Enum(['files', 's3'], {
    default: 'files',
    description:
      'Image storage: `files` for a directory shared by all processes on one machine, or `s3` for an S3 bucket.',
  }),
  folder: optionalText('Directory for `files`. Unset: `blobs` inside `dataDir`.'),
  s3Bucket: optionalText('S3 bucket. Required with `s3`.'),
  s3Region: optionalText(
    'Region of the bucket. Required with `s3`. For S3-compatible services without regions, use `us-east-1`.',
  ),
  s3Endpoint: Type.Union([Type.String({ pattern: '^https?://' }), Type.Null()], {
    default: null,
    description: 'URL of the S3 endpoint. Unset: Amazon S3.',
    expects: 'an http:// or https:// URL',
  }),
  s3AccessKeyId: optionalText(
    'AWS access key ID. Unset: credentials from the environment or the machine, as with other AWS tools.',
  ),
  s3SecretAccessKey: optionalSecret('Secret access key for `blobs.s3AccessKeyId`.'),
  s3PathStyle: Type.Boolean({
    default: false,
    description:
      'Whether to put the bucket in the path instead of the host name. Most S3 services other than Amazon require it.',
  }),
  imageRetentionMs: milliseconds(3_600_000, {
    minimum: 3_600_000,
    description:
      'Retention of images, in ms, from the end of the hour in which they were created. Image URLs are valid for one hour.',
  }),
})

export const retention = section({
  generationsDays: atLeastOrNull(400, {
    minimum: 35,
    description: 'Retention of request records, in days. `null` keeps them forever. Usage totals are always kept.',
  }),
  refusalsDays: atLeastOrNull(30, {
    minimum: 1,
    description:
      'Retention of refused requests and of their counts, in days. `null` keeps them forever. A refused request costs nothing and is part of no sum.',
  }),
  hoursMonths: atLeastOrNull(13, {
    minimum: 2,
    description:
      'Retention of hourly usage rollups, in months. `null` keeps them forever. Daily and monthly rollups are always kept.',
  }),
})

export const revisions = section({
  pollMs: milliseconds(1_000, {
    minimum: 10,
    description:
      'Poll interval for changed routes and prices, in ms. Lower values reduce delay and increase database load.',
  }),
})
