import { listSettings, type Setting } from '../../server/src/config/settings.ts'
import { markdownTable } from './markdown-table.ts'

export function writeConfiguration(): string {
  const rows = listSettings().map((setting) => [
    `\`${setting.key}\``,
    `\`${setting.variable}\``,
    defaultOf(setting),
    `${setting.meaning}${setting.isSecret ? ' Secret.' : ''} (${setting.expects})`,
  ])
  return `# Configuration

Generated from \`server/src/config/config-schema.ts\` by \`npm run docs\`; do not edit.

Settings come from a YAML file, whose path is in \`WEIR_CONFIG\`, and from environment variables. A variable wins over the
file, the file over the default; an empty variable counts as unset, and a list in a variable is separated by commas. The
file has the same tree as the keys:

\`\`\`yaml
http:
  port: 8484
edge:
  proxies: [10.0.0.0/8]
\`\`\`

A process does not start with an unknown key or an unknown variable \`WEIR_…\`, a wrong type, a value out of range or a secret that
can be guessed; it says which key and variable are at fault, and never shows the value. In Kubernetes set \`enableServiceLinks: false\`,
or a service named \`weir-worker\` would set \`WEIR_WORKER_PORT\`. Make a secret with \`openssl rand -base64 48\`.

${markdownTable(['Key', 'Variable', 'Default', 'Meaning'], rows)}
`
}

function defaultOf({ isRequired, schema }: Setting): string {
  if (isRequired) return 'required'
  const value = schema['default']
  if (value === null || (Array.isArray(value) && value.length === 0)) return 'none'
  return `\`${String(value)}\``
}
