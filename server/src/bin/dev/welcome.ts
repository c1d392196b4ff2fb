import { demoEmail, type DemoKeys } from './seed-demo.ts'

interface Welcome {
  readonly url: string
  readonly operatingUrl: string
  readonly keys: DemoKeys
  readonly password: string
  /** Whether the console was built and is served. */
  readonly hasConsole: boolean
  readonly docs: keyof typeof docsLines
  /** The demo's payment provider sells test credit and moves no money. */
  readonly credit: keyof typeof creditLines
  /** The page with the emails that the demo sends. Null with another mail server or none. */
  readonly inboxUrl: string | null
  readonly restartsAfterEdits: boolean
}

/** The first commands for a newcomer. A test runs each of them. */
export function welcomeText(welcome: Welcome): string {
  const { url, operatingUrl, keys, password, hasConsole, docs, credit, inboxUrl, restartsAfterEdits } = welcome
  const console = hasConsole
    ? `Console: ${url}/console/ (email ${demoEmail}, password ${password})`
    : `Console: not built; run npm run console:build to serve it at ${url}/console/`
  return `
${console}
${docsLines[docs](url)}
${creditLines[credit](url)}${inboxUrl === null ? '' : `\nEmails: ${inboxUrl} shows every email that Weir sends.`}

Weir is listening on ${url}. The demo account ${demoEmail} has $25 of credit and a month of sample requests.

  standard key    ${keys.standardKey}
  management key  ${keys.managementKey}

It is the admin of an organization with three teams, eight people and a month of sample requests. A key of one of them, which the organization pays for:

  organization key  ${keys.organizationKey}

Stream from a paid test model (costs a few millionths of a dollar of demo credit):

  curl -N -D /tmp/weir-headers ${url}/v1/chat/completions \\
    -H 'Authorization: Bearer ${keys.standardKey}' -H 'Content-Type: application/json' \\
    -d '{"model":"test/priced","stream":true,"messages":[{"role":"user","content":"Hello"}]}'

Show its receipt:

  curl -s "${url}/v1/generation?id=$(sed -n 's/^x-generation-id: *//Ip' /tmp/weir-headers | tr -d '\\r')" \\
    -H 'Authorization: Bearer ${keys.standardKey}'

Call a model as that member (\`/v1/orgs\` shows the organization; use the management key to see everything in it):

  curl -s ${url}/v1/chat/completions \\
    -H 'Authorization: Bearer ${keys.organizationKey}' -H 'Content-Type: application/json' \\
    -d '{"model":"test/echo","messages":[{"role":"user","content":"Hello from the demo organization"}]}'

Sign in as the demo user and read something only a user or a management key can see:

  curl -s -c /tmp/weir-cookies ${url}/api/auth/sign-in/email -H 'Content-Type: application/json' \\
    -d '{"email":"${demoEmail}","password":"${password}"}'
  curl -s -b /tmp/weir-cookies ${url}/api/user/circuit-breaker

Gateway health: ${operatingUrl}/ready and ${operatingUrl}/metrics

${restartsAfterEdits ? 'Edits in server/src or server/sql restart the gateway and the worker. ' : ''}Ctrl-C stops everything.
`
}

const docsLines = {
  served: (url: string) => `Documentation: ${url}/docs/`,
  building: (url: string) => `Documentation: being built; a line below says when it is at ${url}/docs/`,
  off: () => 'Documentation: turned off by docs.enabled',
} as const

const creditLines = {
  'test credit sold': (url: string) =>
    `Test credit: buy it at ${url}/console/credits. Payments are simulated; no money moves.`,
  sold: (url: string) => `Credit: sold through your payment provider at ${url}/console/credits`,
  'not sold': () => 'Credit: not for sale, no payment provider is configured.',
} as const
