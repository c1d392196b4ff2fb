import { expect, it } from 'vitest'
import { judgeMigrations } from './judge-migrations.ts'

function messagesOf(text: string, path = 'server/sql/migrations/0099_next.sql'): string[] {
  return judgeMigrations([{ path, text }]).map(({ line, message }) => `${line} ${message}`)
}

it.each([
  'CREATE INDEX a ON generations (key_id);',
  'CREATE UNIQUE INDEX IF NOT EXISTS a ON ledger_transfers (id);',
  'ALTER TABLE wallets ADD CONSTRAINT a CHECK (balance_nano > 0);',
  'ALTER TABLE holds ADD FOREIGN KEY (wallet_id) REFERENCES wallets;',
  'ALTER TABLE users ADD CONSTRAINT a UNIQUE (email);',
  'ALTER TABLE generations ALTER COLUMN model SET NOT NULL;',
  'ALTER TABLE ONLY generations ALTER model TYPE varchar;',
  'ALTER TABLE generations VALIDATE CONSTRAINT a;',
  'ALTER TABLE video_jobs ADD COLUMN mark uuid DEFAULT gen_random_uuid();',
  'ALTER TABLE generations ADD COLUMN sum bigint GENERATED ALWAYS AS (a + b) STORED;',
  'UPDATE generations SET model = lower(model);',
  'DELETE FROM usage_days WHERE day < now();',
  'LOCK TABLE wallets;',
])('a migration that keeps a large table locked is found: %s', (text) => {
  expect(messagesOf(`-- A comment; with a mark.\n${text}`)).toEqual([expect.stringMatching(/^2 \w+: /)])
})

it.each([
  'CREATE TABLE a (id uuid REFERENCES users (id), at timestamptz DEFAULT clock_timestamp()); CREATE INDEX b ON a (id);',
  'CREATE INDEX a ON redemption_campaigns (id);',
  'CREATE INDEX a ON ONLY generations (key_id); CREATE INDEX b ON generations_default (key_id);',
  'ALTER TABLE wallets ADD CONSTRAINT a CHECK (balance_nano > 0) NOT VALID;',
  'ALTER TABLE users ADD CONSTRAINT a UNIQUE USING INDEX b;',
  'ALTER TABLE generations ADD COLUMN note text, ADD COLUMN count integer NOT NULL DEFAULT 0;',
  'UPDATE routes SET priority = (SELECT count(*) FROM generations);',
  '-- contract: since 0.2.0 no release reads it.\nALTER TABLE generations DROP COLUMN note;',
])('one that does not is none: %s', (text) => {
  expect(messagesOf(text)).toEqual([])
})

it('what the release before may need is taken away by a migration that says since when it does not', () => {
  for (const text of ['DROP TABLE routes;', 'ALTER TABLE routes DROP COLUMN a;', 'ALTER TABLE routes RENAME a TO b;']) {
    expect(messagesOf(text)).toEqual([expect.stringContaining('contract')])
  }
})

it('migrations that ran before the rule was are left alone', () => {
  expect(
    messagesOf('CREATE INDEX a ON generations (key_id);', 'server/sql/migrations/0016_monthly_invoices.sql'),
  ).toEqual([])
})
