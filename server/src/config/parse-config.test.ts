import { describe, expect, it } from 'vitest'
import { ConfigError } from './config-error.ts'
import { parseConfig } from './parse-config.ts'
import { listSettings } from './settings.ts'

const secret = 'kR7vQ2mZx9LwT4bNc8HdPf3JsGy6UaEe'
const env = { WEIR_SECRET: secret }

function problemsOf(sources: Parameters<typeof parseConfig>[0]): readonly string[] {
  try {
    parseConfig(sources)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

describe('the configuration', () => {
  it('needs a bucket and its region where images are kept in S3, and keys only together', () => {
    expect(problemsOf({ env: { ...env, WEIR_BLOBS_KIND: 's3' } })).toEqual([
      expect.stringMatching(/^blobs\.s3Bucket .* is required with s3/),
      expect.stringMatching(/^blobs\.s3Region .* is required with s3/),
    ])
    const s3 = { ...env, WEIR_BLOBS_KIND: 's3', WEIR_BLOBS_S3_BUCKET: 'weir', WEIR_BLOBS_S3_REGION: 'us-east-1' }
    expect(problemsOf({ env: s3 })).toEqual([])
    expect(problemsOf({ env: { ...s3, WEIR_BLOBS_S3_ACCESS_KEY_ID: 'a' } })).toEqual([
      expect.stringMatching(/s3SecretAccessKey must be set together$/),
    ])
    expect(problemsOf({ env: { ...env, WEIR_BLOBS_IMAGE_RETENTION_MS: '3599999' } })).toHaveLength(1)
  })

  it('[NEXT-160] allows no body that is larger than what one address may send at once', () => {
    const large = String(64 * 1_048_576)
    for (const name of ['CONVERSATION', 'RECORDING', 'MEDIA']) {
      const setting = `WEIR_BODIES_${name}_BYTES_MAX`
      expect(problemsOf({ env: { ...env, [setting]: large } })).toEqual([])
      expect(problemsOf({ env: { ...env, [setting]: String(Number(large) + 1) } })).toEqual([
        expect.stringMatching(/^bodies\.\w+BytesMax must be at most bodies\.addressBytesMax/),
      ])
      expect(problemsOf({ env: { ...env, [setting]: '10485759' } })).toHaveLength(1)
    }
  })

  it('[NEXT-250] allows no JSON body that is larger than what one address may have running', () => {
    const small = { ...env, WEIR_BODIES_RUNNING_ADDRESS_BYTES_MAX: '10485760' }
    expect(problemsOf({ env: small })).toEqual([])
    for (const [name, count] of [
      ['CONVERSATION', 1],
      ['MEDIA', 1],
      ['RECORDING', 0],
    ] as const) {
      expect(problemsOf({ env: { ...small, [`WEIR_BODIES_${name}_BYTES_MAX`]: '10485761' } })).toHaveLength(count)
    }
  })

  it('P4 takes payments only with a secret for webhooks and an address to come back to', () => {
    const url = { WEIR_HTTP_PUBLIC_URL: 'https://weir.internal' }
    const key = { WEIR_PAYMENTS_STRIPE_SECRET_KEY: 'sk_test_x' }
    const secrets = { WEIR_PAYMENTS_STRIPE_WEBHOOK_SECRETS: 'whsec_new1,whsec_old1' }
    const config = parseConfig({ env: { ...env, ...url, ...key, ...secrets } })
    expect(config.payments.stripeWebhookSecrets).toEqual(['whsec_new1', 'whsec_old1'])
    expect(problemsOf({ env: { ...env, ...url, ...key } })).toEqual([
      expect.stringMatching(/^payments\.stripeWebhookSecrets .* is required/),
    ])
    expect(problemsOf({ env: { ...env, ...key, ...secrets } })).toEqual([
      expect.stringMatching(/^http\.publicUrl .* is required with payments\.stripeSecretKey/),
    ])
    const wrong = {
      WEIR_PAYMENTS_STRIPE_SECRET_KEY: 'pk_test_x',
      WEIR_PAYMENTS_STRIPE_WEBHOOK_SECRETS: 'short',
      WEIR_PAYMENTS_CURRENCIES: 'cny=7.25,eur',
      WEIR_PAYMENTS_FEE_PERCENT: '10.001',
    }
    expect(problemsOf({ env: { ...env, ...url, ...wrong } }).map((problem) => problem.split(' ')[0])).toEqual([
      'payments.feePercent',
      'payments.stripeSecretKey',
      'payments.stripeWebhookSecrets',
      'payments.currencies',
    ])
    const least = { WEIR_PAYMENTS_TOP_UP_USD_MIN: '11', WEIR_PAYMENTS_TOP_UP_USD_MAX: '10' }
    expect(problemsOf({ env: { ...env, ...least } })).toEqual([expect.stringMatching(/must be at most/)])
  })

  it('takes payments by epay only with its merchant, its key, a rate and an address to come back to', () => {
    const whole = {
      ...env,
      WEIR_HTTP_PUBLIC_URL: 'https://weir.internal',
      WEIR_PAYMENTS_EPAY_URL: 'https://pay.internal/',
      WEIR_PAYMENTS_EPAY_MERCHANT_ID: '1001',
      WEIR_PAYMENTS_EPAY_KEY: 'k',
      WEIR_PAYMENTS_CURRENCIES: 'cny=7.25',
    }
    expect(problemsOf({ env: whole })).toEqual([])
    const without = (variable: string) => problemsOf({ env: { ...whole, [variable]: '' } })
    for (const variable of ['WEIR_PAYMENTS_EPAY_MERCHANT_ID', 'WEIR_PAYMENTS_EPAY_KEY', 'WEIR_PAYMENTS_EPAY_URL']) {
      expect(without(variable)).toEqual([expect.stringMatching(/epayKey must be set together$/)])
    }
    expect(without('WEIR_PAYMENTS_CURRENCIES')).toEqual([expect.stringMatching(/no rate for cny/)])
    expect(without('WEIR_HTTP_PUBLIC_URL')).toEqual([expect.stringMatching(/is required with payments\.epayUrl/)])
    expect(problemsOf({ env: { ...whole, WEIR_PAYMENTS_EPAY_CURRENCY: 'thb' } })).toHaveLength(1)
    expect(problemsOf({ env: { ...whole, WEIR_PAYMENTS_EPAY_URL: 'https://pay.internal' } })).toHaveLength(1)
  })

  it('[MONEY-05] [MONEY-06] has the fee and the tax of the contract, and takes others with two decimals', () => {
    expect(parseConfig({ env }).payments).toMatchObject({ feePercent: 10, taxPercent: 5 })
    const other = { WEIR_PAYMENTS_FEE_PERCENT: '5.5', WEIR_PAYMENTS_TAX_PERCENT: '19' }
    expect(parseConfig({ env: { ...env, ...other } }).payments).toMatchObject({ feePercent: 5.5, taxPercent: 19 })
    expect(parseConfig({ env, fileText: 'payments:\n  feePercent: 8.1\n' }).payments.feePercent).toBe(8.1)
    expect(problemsOf({ env: { ...env, WEIR_PAYMENTS_FEE_PERCENT: '101' } })).toHaveLength(1)
  })

  it('needs nothing but the secret', () => {
    const config = parseConfig({ env })
    expect(config).toMatchObject({
      secret,
      http: { host: '127.0.0.1', port: 8484, publicUrl: null },
      edge: { proxies: [], clientIpHeader: 'x-real-ip' },
      money: { leaseMs: 60_000 },
      testModels: { enabled: true },
    })
    expect(problemsOf({ env: {} })).toEqual([expect.stringMatching(/^secret \(WEIR_SECRET\) is required/)])
  })

  it('takes the environment before the file, and the file before defaults', () => {
    const fileText = 'http:\n  port: 9000\n  host: 0.0.0.0\nedge:\n  proxies: [10.0.0.0/8]\nlog:\n'
    const config = parseConfig({ env: { ...env, WEIR_HTTP_PORT: '9001', WEIR_HTTP_HOST: '' }, fileText })
    expect(config.http).toEqual({
      host: '0.0.0.0',
      port: 9001,
      publicUrl: null,
      headTimeoutMs: 10_000,
      connectionsMax: 16_384,
      addressConnectionsMax: 4_096,
      addressUnreadMax: 500,
    })
    expect(config.edge.proxies).toEqual(['10.0.0.0/8'])
    expect(config.log.level).toBe('info')
  })

  it('reads lists, switches and URLs from variables', () => {
    const config = parseConfig({
      env: {
        ...env,
        WEIR_EDGE_PROXIES: '10.0.0.1, fd00::/8',
        WEIR_TEST_MODELS_ENABLED: 'false',
        WEIR_HTTP_PUBLIC_URL: 'https://weir.internal',
        WEIR_DATA_DIR: '/var/lib/weir',
      },
    })
    expect(config.edge.proxies).toEqual(['10.0.0.1', 'fd00::/8'])
    expect(config.testModels.enabled).toBe(false)
    expect(config.http.publicUrl).toBe('https://weir.internal')
    expect(config.dataDir).toBe('/var/lib/weir')
  })

  it('takes a number of days, or null for ever, from variables and the file', () => {
    expect(parseConfig({ env }).retention).toEqual({ generationsDays: 400, refusalsDays: 30, hoursMonths: 13 })
    const variables = { ...env, WEIR_RETENTION_GENERATIONS_DAYS: 'null', WEIR_RETENTION_HOURS_MONTHS: '2' }
    expect(parseConfig({ env: variables }).retention).toEqual({
      generationsDays: null,
      refusalsDays: 30,
      hoursMonths: 2,
    })
    const fileText = 'retention: { generationsDays: 35, refusalsDays: 1, hoursMonths: null }'
    expect(parseConfig({ env, fileText }).retention).toEqual({
      generationsDays: 35,
      refusalsDays: 1,
      hoursMonths: null,
    })
    for (const text of ['34', 'forever', '35.5']) {
      expect(problemsOf({ env: { ...env, WEIR_RETENTION_GENERATIONS_DAYS: text } })).toHaveLength(1)
    }
  })

  it('is frozen to the last leaf', () => {
    const config = parseConfig({ env: { ...env, WEIR_EDGE_PROXIES: '10.0.0.1' } })
    for (const part of [config, config.http, config.edge.proxies]) expect(Object.isFrozen(part)).toBe(true)
  })

  it('refuses unknown keys, wrong types and values out of range, naming key and variable', () => {
    const fileText = 'htpp:\n  port: 1\nhttp:\n  prot: 1\nmoney: 5\nlog:\n  level: loud\n'
    expect(problemsOf({ env: { ...env, WEIR_HTTP_PORT: '70000', WEIR_MONEY_LEASE_MS: '1m' }, fileText })).toEqual([
      expect.stringContaining('htpp'),
      expect.stringContaining('http.prot'),
      expect.stringContaining('money in the file must be a mapping'),
      'http.port (WEIR_HTTP_PORT) must be an integer from 0 to 65535',
      'money.leaseMs (WEIR_MONEY_LEASE_MS) must be an integer from 500 to 86400000',
      expect.stringMatching(/^log\.level \(WEIR_LOG_LEVEL\) must be one of trace, /),
    ])
    expect(problemsOf({ env: { ...env, WEIR_EDGE_PROXIES: '10.0.0.0/33' } })).toHaveLength(1)
    expect(problemsOf({ env, fileText: '- a\n' })).toHaveLength(1)
    expect(problemsOf({ env, fileText: 'a: [\n' })).toHaveLength(1)
  })

  it('[P22] refuses secrets that are short, repeated or printed in manuals, and never shows them', () => {
    const weak = ['short', 'a'.repeat(64), 'ab'.repeat(32), `change-me-${secret}`, '0123456789abcdef0123456789abcdef']
    for (const guess of weak) {
      const problems = problemsOf({ env: { WEIR_SECRET: guess } })
      expect(problems, guess).toHaveLength(1)
      expect(problems[0]).not.toContain(guess)
    }
  })

  it('never shows the value of a refused variable or of a file that is not YAML', () => {
    const password = 'hunter2hunter2'
    expect(problemsOf({ env: { ...env, WEIR_POSTGRES_URL: `mysql://weir:${password}@db/weir` } }).join()).not.toContain(
      password,
    )
    expect(problemsOf({ env, fileText: `secret: "${password}\nhttp: [` }).join()).not.toContain(password)
  })

  it.each([
    ['a tag', 'secret: !hunter2hunter2 x', 'tag resolve failed at line 1, column 9'],
    ['a tag of a language', 'secret: !!js/hunter2hunter2 x', 'tag resolve failed at line 1, column 9'],
    ['an alias', 'secret: *hunter2hunter2', 'an alias cannot be resolved'],
    ['an escape', 'secret: "\\hunter2hunter2"', 'bad dq escape at line 1, column 10'],
  ])('refuses %s that YAML does not know, without a quote of the file', (_, fileText, problem) => {
    expect(problemsOf({ env, fileText })).toEqual([`the configuration file is not valid YAML: ${problem}`])
  })

  it('takes a mail server only with a sender, and with an address of our own for links', () => {
    const mail = { WEIR_MAIL_URL: 'smtp://mail.internal:587' }
    const sender = { WEIR_MAIL_FROM: 'Weir <weir@example.com>' }
    const publicUrl = { WEIR_HTTP_PUBLIC_URL: 'https://weir.internal' }
    expect(parseConfig({ env: { ...env, ...mail, ...sender, ...publicUrl } }).mail.from).toBe('Weir <weir@example.com>')
    expect(problemsOf({ env: { ...env, ...mail } })).toEqual([
      expect.stringMatching(/^mail\.from \(WEIR_MAIL_FROM\) is required/),
      expect.stringMatching(/^http\.publicUrl \(WEIR_HTTP_PUBLIC_URL\) is required/),
    ])
    expect(problemsOf({ env: { ...env, WEIR_AUTH_GITHUB_CLIENT_ID: 'id', WEIR_AUTH_PASSKEYS: 'true' } })).toEqual([
      expect.stringMatching(/^auth\.githubClientId .* must be set together$/),
      expect.stringMatching(/ with auth\.githubClientId/),
      expect.stringMatching(/ with auth\.passkeys/),
    ])
    expect(
      problemsOf({ env: { ...env, ...mail, ...publicUrl, WEIR_MAIL_FROM: 'a@example.com, b@example.com' } }),
    ).toEqual(['mail.from (WEIR_MAIL_FROM) must be a single email address'])
  })

  it('lets operators do without a second factor on this machine alone', () => {
    const variables = (publicUrl: string) => ({
      env: { ...env, WEIR_AUTH_OPERATOR_SECOND_FACTOR: 'false', WEIR_HTTP_PUBLIC_URL: publicUrl },
    })
    expect(parseConfig(variables('http://127.0.0.1:8484')).auth.operatorSecondFactor).toBe(false)
    for (const elsewhere of ['https://weir.internal', 'http://localhost.example.com', 'http://127.0.0.1.example.com']) {
      expect(problemsOf(variables(elsewhere))).toEqual([
        expect.stringMatching(/^auth\.operatorSecondFactor .* machine/),
      ])
    }
    expect(problemsOf({ env: { ...env, WEIR_AUTH_OPERATOR_SECOND_FACTOR: 'false' } })).toHaveLength(1)
    expect(parseConfig({ env }).auth.operatorSecondFactor).toBe(true)
  })

  it('has a meaning and a variable of its own for every setting', () => {
    const settings = listSettings()
    expect(settings.length).toBeGreaterThan(25)
    expect(new Set(settings.map(({ variable }) => variable)).size).toBe(settings.length)
    expect(settings.filter(({ meaning }) => meaning.length < 10)).toEqual([])
  })
})

describe('traces', () => {
  it('are off, and follow their settings', () => {
    expect(parseConfig({ env }).tracing).toEqual({
      url: null,
      headers: [],
      sampleRatio: 1,
      serviceName: 'weir',
      resourceAttributes: [],
      trustParents: false,
      propagateTo: [],
    })
    const fileText =
      'tracing:\n  url: http://collector:4318/v1/traces\n  propagateTo: ["vllm.internal:8000", "[::1]"]\n'
    const { tracing } = parseConfig({ env: { ...env, WEIR_TRACING_SAMPLE_RATIO: '0.25' }, fileText })
    expect(tracing).toMatchObject({ sampleRatio: 0.25, propagateTo: ['vllm.internal:8000', '[::1]'] })
  })

  it.each([
    ['WEIR_TRACING_URL', 'collector:4318', 'must be an http:// or https:// URL'],
    ['WEIR_TRACING_URL', 'http://name:secret@collector', 'contains credentials; put them in a header'],
    ['WEIR_TRACING_HEADERS', 'nonsense', 'has an entry that is not `name: value`'],
    ['WEIR_TRACING_SAMPLE_RATIO', '1.5', 'must be a number from 0 to 1'],
    ['WEIR_TRACING_PROPAGATE_TO', 'https://vllm.internal', 'has an entry that is not a host'],
  ])('refuse %s of %s', (variable, value, complaint) => {
    expect(problemsOf({ env: { ...env, [variable]: value } })).toEqual([expect.stringContaining(complaint)])
  })
})
