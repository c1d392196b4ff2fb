import { demoEmail, type DemoKeys } from './seed-demo.ts'

export interface Welcome {
  readonly url: string
  readonly operatingUrl: string
  readonly keys: DemoKeys
  readonly password: string
  /** Which websites were built, and are served. */
  readonly built: { readonly console: boolean; readonly docs: boolean }
  /** Test credit is sold by the payment provider of the demo, which moves no money. */
  readonly credit: keyof typeof creditLines
  readonly restartsAfterEdits: boolean
}

/** What a newcomer pastes first. A test runs each command. */
export function welcomeText({ url, operatingUrl, keys, password, built, credit, restartsAfterEdits }: Welcome): string {
  const console = built.console
    ? `Console: ${url}/console/, sign in as ${demoEmail} with the password ${password}`
    : `Console: npm run console:build puts it at ${url}/console/`
  const docs = built.docs ? `Documentation: ${url}/docs/` : `Documentation: npm run docs:build puts it at ${url}/docs/`
  return `
${console}
${docs}
${creditLines[credit](url)}

Weir is listening on ${url}. Demo account: ${demoEmail}, credited with $25, with a month of requests behind it.

  standard key    ${keys.standardKey}
  management key  ${keys.managementKey}

It administers an organization with $50, the team Research, and a member with a key that the organization pays for:

  organization key  ${keys.organizationKey}

Stream from a test model that is charged, for a few millionths of a dollar:

  curl -N -D /tmp/weir-headers ${url}/v1/chat/completions \\
    -H 'Authorization: Bearer ${keys.standardKey}' -H 'Content-Type: application/json' \\
    -d '{"model":"test/priced","stream":true,"messages":[{"role":"user","content":"Hello"}]}'

Then look at its receipt:

  curl -s "${url}/v1/generation?id=$(sed -n 's/^x-generation-id: *//Ip' /tmp/weir-headers | tr -d '\\r')" \\
    -H 'Authorization: Bearer ${keys.standardKey}'

Call a model as that member; \`/v1/orgs\` shows the organization, and with the management key all that is in it:

  curl -s ${url}/v1/chat/completions \\
    -H 'Authorization: Bearer ${keys.organizationKey}' -H 'Content-Type: application/json' \\
    -d '{"model":"test/echo","messages":[{"role":"user","content":"Hello from the demo organization"}]}'

Sign in as the person, and look at what only a person or a management key may see:

  curl -s -c /tmp/weir-cookies ${url}/api/auth/sign-in/email -H 'Content-Type: application/json' \\
    -d '{"email":"${demoEmail}","password":"${password}"}'
  curl -s -b /tmp/weir-cookies ${url}/api/user/circuit-breaker

How the gateway is doing: ${operatingUrl}/ready and ${operatingUrl}/metrics

${restartsAfterEdits ? 'An edit in server/src or server/sql restarts gateway and worker. ' : ''}Ctrl-C stops everything.
`
}

const creditLines = {
  'test credit sold': (url: string) =>
    `Test credit: buy it at ${url}/console/credits. The payment page is a simulator of this repository, and no money moves.`,
  sold: (url: string) => `Credit is sold by the payment provider that you have set up: ${url}/console/credits`,
  'not sold': () => 'Credit is not sold: no payment provider is set up.',
} as const
