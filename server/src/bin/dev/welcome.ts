import { demoEmail, type DemoKeys } from './seed-demo.ts'

interface Welcome {
  readonly url: string
  readonly operatingUrl: string
  readonly keys: DemoKeys
  readonly password: string
  /** The websites that were built and are served. */
  readonly built: { readonly console: boolean; readonly docs: boolean }
  /** The demo's payment provider sells test credit and moves no money. */
  readonly credit: keyof typeof creditLines
  readonly restartsAfterEdits: boolean
}

/** The first commands for a newcomer. A test runs each of them. */
export function welcomeText({ url, operatingUrl, keys, password, built, credit, restartsAfterEdits }: Welcome): string {
  const console = built.console
    ? `Console: ${url}/console/ (email ${demoEmail}, password ${password})`
    : `Console: not built; run npm run console:build to serve it at ${url}/console/`
  const docs = built.docs
    ? `Documentation: ${url}/docs/`
    : `Documentation: not built; run npm run docs:build to serve it at ${url}/docs/`
  return `
${console}
${docs}
${creditLines[credit](url)}

Weir is listening on ${url}. The demo account ${demoEmail} has $25 of credit and a month of sample requests.

  standard key    ${keys.standardKey}
  management key  ${keys.managementKey}

It is the admin of an organization with $50 of credit, a team (Research), and a member with a key that the organization pays for:

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

const creditLines = {
  'test credit sold': (url: string) =>
    `Test credit: buy it at ${url}/console/credits. Payments are simulated; no money moves.`,
  sold: (url: string) => `Credit: sold through your payment provider at ${url}/console/credits`,
  'not sold': () => 'Credit: not for sale, no payment provider is configured.',
} as const
