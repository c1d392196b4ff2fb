import { type Static, Type } from 'typebox'
import { init } from './sections/first-run.ts'
import { auth, filters, limits, moderation } from './sections/guards.ts'
import {
  batches,
  breaker,
  cache,
  files,
  media,
  money,
  realtime,
  responses,
  retries,
  stream,
  testModels,
  uploads,
  upstream,
} from './sections/inference.ts'
import { audit, catalogue, events, usage, video, webhooks } from './sections/jobs.ts'
import {
  bodies,
  docs,
  drain,
  edge,
  http,
  log,
  metrics,
  operating,
  tracing,
  warmUp,
  website,
  worker,
} from './sections/listening.ts'
import { dns, egress, mail, outbound } from './sections/network.ts'
import { payments } from './sections/payments.ts'
import { blobs, dataDir, postgres, redis, retention, revisions } from './sections/storage.ts'
import { section } from './setting-kinds.ts'

/**
 * All settings, each with type, bounds, default and description, by topic in `sections/`. The file is the same tree in
 * YAML; the variable of a setting is `WEIR_` and its path in upper snake case. The table in docs/configuration.md is
 * generated from here, in this order.
 */
export const configSchema = section({
  secret: Type.String({
    minLength: 32,
    description:
      'Master secret. Provider credentials are encrypted with a key derived from it and cannot be recovered without it.',
    isSecret: true,
    expects: 'a random string of at least 32 characters',
  }),
  previousSecrets: Type.Array(Type.String({ minLength: 32 }), {
    default: [],
    maxItems: 5,
    description:
      'Previous master secrets, kept during a rotation. Data encrypted with them stays readable until `weir secrets rotate` re-encrypts it.',
    isSecret: true,
    expects: 'a list of at most 5 strings of at least 32 characters',
  }),
  http,
  console: website,
  docs,
  bodies,
  operating,
  worker,
  edge,
  postgres,
  redis,
  dataDir,
  money,
  upstream,
  stream,
  realtime,
  responses,
  retries,
  cache,
  files,
  batches,
  limits,
  uploads,
  egress,
  dns,
  outbound,
  breaker,
  filters,
  media,
  blobs,
  video,
  webhooks,
  warmUp,
  drain,
  metrics,
  tracing,
  moderation,
  mail,
  payments,
  auth,
  init,
  usage,
  events,
  catalogue,
  audit,
  retention,
  log,
  revisions,
  testModels,
})

export type Config = DeepReadonly<Static<typeof configSchema>>

type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T
