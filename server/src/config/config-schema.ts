import { type Static, Type } from 'typebox'
import {
  atLeastOrNull,
  bodyBytes,
  byteCount,
  count,
  eventHeaders,
  eventUrl,
  milliseconds,
  optionalText,
  section,
} from './setting-kinds.ts'

/**
 * Every setting, once: its type, bounds, default and meaning. The file is the same tree in YAML; the variable of a setting is
 * `WEIR_` and its path in upper snake case. The table in docs/configuration.md is generated from here.
 */
export const configSchema = section({
  secret: Type.String({
    minLength: 32,
    description: 'Master secret. Provider credentials are sealed with a key derived from it; without it they are lost.',
    expects: 'a random text of at least 32 characters',
  }),
  previousSecrets: Type.Array(Type.String({ minLength: 32 }), {
    default: [],
    maxItems: 5,
    description:
      'Master secrets that are being replaced. What they have sealed can still be opened, until `weir secrets rotate` has sealed it anew.',
    expects: 'a list of at most 5 texts of at least 32 characters',
  }),
  http: section({
    host: Type.String({ minLength: 1, default: '127.0.0.1', description: 'Address to listen on.' }),
    port: Type.Integer({ minimum: 0, maximum: 65_535, default: 8484, description: 'Port to listen on; 0 takes any.' }),
    publicUrl: Type.Union([Type.String({ pattern: '^https?://' }), Type.Null()], {
      default: null,
      description: 'Where callers reach the gateway, for absolute links in answers. Unset: derived from the request.',
      expects: 'an http:// or https:// URL',
    }),
    headTimeoutMs: milliseconds(10_000, {
      maximum: 300_000,
      description: 'How long the head of a request may take to arrive; afterwards the answer is 408.',
    }),
    connectionsMax: count(16_384, { description: 'Open connections of a process; further ones are closed with 503.' }),
    addressConnectionsMax: count(4_096, {
      description:
        'Open connections from one client address (IPv6: /64), in each process. Behind `edge.proxies` requests under way count instead.',
    }),
    addressUnreadMax: count(500, {
      description:
        'Requests from one client address in ten seconds that are refused before their body has come; then its new connections are closed with 503 until the ten seconds are over. Connections of `edge.proxies` do not count.',
    }),
  }),
  bodies: section({
    bytesMax: bodyBytes(
      268_435_456,
      'Bytes of bodies in memory that are not parsed yet, in each process; further ones are refused with 503.',
    ),
    addressBytesMax: bodyBytes(67_108_864, 'The same for one client address (IPv6: /64).'),
    bytesPerSecondMin: Type.Integer({
      minimum: 0,
      maximum: 1_073_741_824,
      default: 16_384,
      description: 'How fast a JSON body must arrive; a slower one is refused with 408. Bytes per second.',
    }),
    paceWindowMs: milliseconds(10_000, {
      description: 'Over how long that is measured, time after time from the beginning of the body.',
    }),
  }),
  operating: section({
    host: Type.String({
      minLength: 1,
      default: '127.0.0.1',
      description: 'Address on which a gateway answers `/health`, `/ready` and `/metrics`.',
    }),
    port: Type.Union([Type.Integer({ minimum: 0, maximum: 65_535 }), Type.Null()], {
      default: null,
      description: 'Port for them; 0 takes any. Unset: 100 above `http.port`.',
      expects: 'a whole number from 0 to 65535',
    }),
    publicProbes: Type.Boolean({
      default: false,
      description:
        'Whether `/health` and `/ready` are also answered on `http.port`, for a balancer that can ask no other port. `/metrics` never is.',
    }),
  }),
  worker: section({
    host: Type.String({
      minLength: 1,
      default: '127.0.0.1',
      description: 'Address on which a worker answers `/health`, `/ready` and `/metrics`.',
    }),
    port: Type.Integer({
      minimum: 0,
      maximum: 65_535,
      default: 8490,
      description: 'Port for them; 0 takes any. Each worker of a machine needs another one.',
    }),
  }),
  edge: section({
    proxies: Type.Array(Type.String(), {
      default: [],
      description: 'Addresses of your own proxies. Only their word about the client address is believed.',
      expects: 'a list of IP addresses and CIDR ranges',
    }),
    clientIpHeader: Type.String({
      pattern: '^[a-z0-9-]+$',
      default: 'x-real-ip',
      description: 'The header in which those proxies name the client address.',
      expects: 'a header name in lower case',
    }),
  }),
  postgres: section({
    url: Type.String({
      pattern: '^postgres(ql)?://',
      default: 'postgres://postgres@127.0.0.1:5432/weir',
      description: 'Where money, keys and records are kept.',
      expects: 'a postgres:// URL',
    }),
    poolMax: count(10, { maximum: 1_000, description: 'Connections per process, beside those of the money lanes.' }),
    budgetMs: milliseconds(2_000, {
      description:
        'For a connection, and for looking up a key or filter rules; afterwards the request is refused with 503.',
    }),
  }),
  redis: section({
    url: Type.String({
      pattern: '^rediss?://',
      default: 'redis://127.0.0.1:6379',
      description: 'Where requests are counted and cache invalidations travel.',
      expects: 'a redis:// or rediss:// URL',
    }),
    prefix: Type.String({
      maxLength: 64,
      pattern: '^[^\\s{}]*$',
      default: 'weir:',
      description: 'Begins the name of every key and channel: deployments that share one Redis need one each.',
      expects: 'a text without spaces and braces',
    }),
    budgetMs: milliseconds(50, { description: 'For a rate check; afterwards the process counts by itself.' }),
  }),
  dataDir: Type.String({
    minLength: 1,
    default: '.weir',
    description:
      'Folder for settles that Postgres could not take at once, and for uploaded files while they are used. It must survive a restart.',
  }),
  money: section({
    leaseMs: milliseconds(60_000, { minimum: 500, description: 'How long a hold lives without being renewed.' }),
    sweepIntervalMs: milliseconds(5_000, { minimum: 50, description: 'How often lapsed holds are returned.' }),
    settleDeadlineMs: milliseconds(2_000, { description: 'A settle that is not committed by then goes to `dataDir`.' }),
    holdDeadlineMs: milliseconds(2_000, { description: 'A hold that is not granted by then refuses the request.' }),
  }),
  upstream: section({
    connectTimeoutMs: milliseconds(5_000, { description: 'For a connection to an upstream.' }),
    firstByteTimeoutMs: milliseconds(120_000, { description: 'For the first byte of a streamed answer.' }),
    answerTimeoutMs: milliseconds(600_000, { description: 'For the whole of an answer that is not streamed.' }),
    idleTimeoutMs: milliseconds(120_000, { description: 'Between two pieces of a streamed answer.' }),
    googleTokenUrl: Type.String({
      pattern: '^https?://[^/]+/',
      default: 'https://oauth2.googleapis.com/token',
      description: 'Where access tokens for Google service accounts are minted.',
      expects: 'the address of a token server',
    }),
  }),
  stream: section({
    keepAliveMs: milliseconds(15_000, { maximum: 60_000, description: 'Silence before a caller is sent a comment.' }),
    frameBytesMax: Type.Integer({
      minimum: 1_024,
      maximum: 268_435_456,
      default: 8_388_608,
      description: 'Largest single event accepted from an upstream, in bytes.',
    }),
  }),
  limits: section({
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
        'What answers may be worth that a wallet or client address leaves in a day before they are billed; beyond it their requests are blocked.',
      expects: 'an amount of USD such as 0.50',
    }),
    unbilledPercent: Type.Integer({
      minimum: 0,
      maximum: 100,
      default: 5,
      description: 'The same as a share of what was paid that day, in percent, where that is more.',
    }),
    signIn: count(30, {
      maximum: 1_000_000_000,
      description: 'Attempts to sign in or up or to have mail sent, per minute, for a client (IPv6: /64).',
    }),
    signInFailures: count(10, {
      maximum: 1_000_000_000,
      description:
        'Wrong passwords from one place (an IPv4 address or IPv6 /56) in 15 minutes before it pauses, and those of strangers for one account in an hour before each place pauses after its first.',
    }),
  }),
  uploads: section({
    perKeyMax: count(64, { description: 'Forms with files that one key may have under way at once, in each process.' }),
    bytesMax: Type.Integer({
      minimum: 104_857_600,
      maximum: 1_099_511_627_776,
      default: 8_589_934_592,
      description: 'Bytes of forms that a process keeps in `dataDir` at once; what would be more is refused with 503.',
    }),
    idleTimeoutMs: milliseconds(30_000, { description: 'Silence of a sender in the middle of a form.' }),
  }),
  egress: section({
    allowedNetworks: Type.Array(Type.String(), {
      default: [],
      description:
        "Private networks that requests to addresses chosen by others (organizations' own keys, URLs of images) may reach beside the public internet; plain `http://` is accepted for addresses in them.",
      expects: 'a list of IP addresses and CIDR ranges',
    }),
  }),
  dns: section({
    servers: Type.Array(Type.String(), {
      default: [],
      maxItems: 8,
      description:
        'DNS servers to ask for the hosts of upstreams and of addresses in requests. None: those in `/etc/resolv.conf`.',
      expects: 'a list of at most 8 IP addresses, each with a port where it is not 53',
    }),
    timeoutMs: milliseconds(3_000, {
      minimum: 50,
      maximum: 60_000,
      description: 'For the lookup of one host, its wait for a turn included.',
    }),
  }),
  outbound: section({
    atOnce: count(256, {
      description:
        'Requests that a process makes at once to addresses that accounts have named: downloads of images and videos, webhooks, lists of models.',
    }),
    perAccount: count(16, { description: 'Of them those for one account.' }),
    waitingPerAccount: count(256, {
      description: 'Such requests of one account that may wait for their turn; what would be more is refused with 429.',
    }),
    bytes: byteCount(4_294_967_296, {
      description: 'Bytes that a gateway may be fetching at once, each file counted with as much as it may have.',
    }),
    bytesPerAccount: byteCount(536_870_912, { description: 'Of them those for one account.' }),
  }),
  breaker: section({
    failures: count(5, { description: 'Failures in a row that take a provider out of the rotation.' }),
    openMs: milliseconds(10_000, { description: 'How long it stays out before one request tries it again.' }),
  }),
  filters: section({
    timeoutMs: milliseconds(250, {
      minimum: 50,
      description:
        'For the content filters of a request. Rules that refuse or redact refuse what they could not finish by then.',
    }),
  }),
  media: section({
    editModel: Type.String({
      minLength: 1,
      default: 'google/gemini-2.5-flash-image',
      description: 'Edits images for callers of `/v1/images/edits` who name no model.',
    }),
  }),
  blobs: section({
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
      description:
        'Whether the bucket stands in the path instead of in the host name, as most others than Amazon want.',
    }),
    imageRetentionMs: milliseconds(3_600_000, {
      minimum: 3_600_000,
      description:
        'How long images are kept, from the end of the hour in which they were made. Their URLs hold for an hour.',
    }),
  }),
  video: section({
    deadlineMs: milliseconds(3_600_000, {
      maximum: 86_400_000,
      description: 'How long the job of a video may take; then it has failed.',
    }),
    answerTimeoutMs: milliseconds(60_000, { description: 'For an answer of a provider of videos to one question.' }),
    claimMs: milliseconds(20_000, {
      minimum: 1_000,
      description: 'How long the jobs of a worker that died wait for another.',
    }),
    pollEveryMs: milliseconds(8_000, {
      minimum: 20,
      description: 'How often at the most a provider is asked about a job, however often callers ask us.',
    }),
    lookEveryMs: milliseconds(250, { minimum: 10, description: 'How often a worker looks for jobs that are due.' }),
    atOnce: count(256, { maximum: 10_000, description: 'Jobs that a worker moves at the same time.' }),
    keepDays: count(7, { maximum: 3_650, description: 'How long finished videos are kept. Days.' }),
  }),
  webhooks: section({
    timeoutMs: milliseconds(10_000, {
      minimum: 100,
      maximum: 10_000,
      description: 'How long a receiver of a webhook may take to answer.',
    }),
    pauseMs: milliseconds(5_000, {
      minimum: 10,
      maximum: 3_600_000,
      description: 'How long until a webhook that was not taken is sent again; twice as long each time, up to an hour.',
    }),
    atOnce: count(256, { maximum: 10_000, description: 'Webhooks that a worker sends at the same time.' }),
  }),
  drain: section({
    noticeMs: milliseconds(1_000, {
      minimum: 0,
      description: 'How long `/ready` says no after SIGTERM before connections are refused, so that balancers notice.',
    }),
    timeoutMs: milliseconds(30_000, { description: 'How long running requests may go on after SIGTERM.' }),
  }),
  metrics: section({
    readers: Type.Array(Type.String(), {
      default: ['127.0.0.0/8', '::1'],
      description: 'Addresses that may read `/metrics`; for all others it does not exist.',
      expects: 'a list of IP addresses and CIDR ranges',
    }),
  }),
  moderation: section({
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
  }),
  mail: section({
    url: Type.Union([Type.String({ pattern: '^smtps?://' }), Type.Null()], {
      default: null,
      description:
        'The mail server: `smtp://host:587`, or `smtps://`, with name and password where it wants them. Unset: no mail is sent, and no address is verified.',
      expects: 'an smtp:// or smtps:// URL',
    }),
    from: Type.Union([Type.String(), Type.Null()], {
      default: null,
      description: 'Who mail comes from: an address, or `Weir <weir@example.com>`. Required with `mail.url`.',
      expects: 'a mail address, with a name before it if you like',
    }),
  }),
  auth: section({
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
  }),
  usage: section({
    foldMs: milliseconds(2_000, {
      minimum: 10,
      maximum: 600_000,
      description: 'How often settled requests are added to the sums that usage and reports are read from.',
    }),
    foldBatch: count(100_000, { description: 'How many of them are added in one transaction, when many are waiting.' }),
  }),
  events: section({
    otlpUrl: eventUrl(
      'Where a span for every settled request is sent, as OTLP over HTTP in JSON: `http://collector:4318/v1/traces`.',
    ),
    otlpHeaders: eventHeaders(),
    ndjsonFile: optionalText('The file that a line of JSON is appended to for every settled request.'),
    ndjsonUrl: eventUrl('Where those lines are posted.'),
    ndjsonHeaders: eventHeaders(),
    pollMs: milliseconds(2_000, {
      minimum: 10,
      maximum: 600_000,
      description: 'How often it is looked for settled requests to send.',
    }),
    batch: count(500, {
      maximum: 5_000,
      description: 'About how many are sent at once. Those that were settled together stay together.',
    }),
    fromStart: Type.Boolean({
      default: false,
      description: 'Whether a sink that is new gets what was settled before it as well.',
    }),
    timeoutMs: milliseconds(10_000, { maximum: 600_000, description: 'For the answer to a batch.' }),
  }),
  audit: section({
    everyMs: milliseconds(3_600_000, {
      minimum: 1_000,
      description: 'How often a worker compares wallets with the sums of usage, and logs whether the books agree.',
    }),
  }),
  retention: section({
    generationsDays: atLeastOrNull(400, {
      minimum: 35,
      description:
        'How many days the records of requests are kept; `null`: for ever. What they add up to is always kept.',
    }),
    hoursMonths: atLeastOrNull(13, {
      minimum: 2,
      description:
        'How many months sums by the hour are kept; `null`: for ever. Those by the day and month always are.',
    }),
  }),
  log: section({
    level: Type.Enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
      default: 'info',
      description: 'Least severity that is logged.',
    }),
  }),
  revisions: section({
    pollMs: milliseconds(1_000, {
      minimum: 10,
      description: 'How often a process looks for changed routes and prices.',
    }),
  }),
  testModels: section({
    enabled: Type.Boolean({ default: true, description: 'Whether `test/*` models may be called.' }),
  }),
})

export type Config = DeepReadonly<Static<typeof configSchema>>

type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T
