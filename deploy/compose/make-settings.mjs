// Makes up what the containers share, once: a secret, the password of Postgres, and the first account.
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, writeFileSync } from 'node:fs'

const [folder] = process.argv.slice(2)
const settings = `${folder}/weir.yaml`
if (existsSync(settings)) process.exit(0)

const text = (bytes) => randomBytes(bytes).toString('base64url')
const [postgres, account, user] = [text(24), text(12), 65_532]
// The user of Postgres' image reads it; the volume is mounted nowhere else.
writeFileSync(`${folder}/postgres-password`, postgres, { mode: 0o644 })
writeFileSync(
  settings,
  `secret: "${text(48)}"
postgres:
  url: postgres://weir:${postgres}@postgres:5432/weir
redis:
  url: redis://valkey:6379
init:
  userEmail: admin@example.com
  userPassword: "${account}"
  creditUsd: "25"
`,
  { mode: 0o600 },
)
if (process.getuid() === 0) chownSync(settings, user, user)
console.log(`Sign in as admin@example.com with the password ${account}`)
