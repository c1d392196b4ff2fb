import { expect, it } from 'vitest'
import type { AuditEntry } from '../../api/audit.ts'
import { actionInWords, actorInWords, objectInWords } from './audit-words.ts'

it.each([
  ['org.update', 'Organization changed'],
  ['org_member.allowed_models.update', 'Allowed models of a member changed'],
  ['team.cb.tripped', 'Spend breaker of a team tripped'],
  ['end_customer.update', 'Customer changed'],
  ['end_customer.transfer', 'Customer balance moved'],
  ['run.stop', 'Run stopped'],
  ['end_customer.token.create', 'Customer token created'],
  ['end_customer.token.revoke', 'Customer token revoked'],
  ['end_customer.settings.update', 'Customer defaults changed'],
  ['filter.rule.create', 'Content filter created'],
  ['filter.blocked', 'Request blocked by a content filter'],
  ['customer.view.begin', 'Console view begun'],
  ['institution.session.revoke', 'Institution sessions revoked'],
  ['catalogue.approve', 'Models and prices applied'],
  ['catalogue.undo', 'Models and prices undone'],
  ['provider.circuit.open', 'Circuit of a provider opened'],
  ['provider.key.replace', 'Key of a provider account replaced'],
  ['webhook.repeat', 'Webhook delivery repeated'],
  ['mail.repeat', 'Email repeated'],
  ['sink.repeat', 'Event sink repeated'],
  ['brake.on', 'Emergency brake turned on'],
  ['evidence.show', 'Blocked prompt read'],
  ['customer.note.add', 'Note about a customer added'],
  ['month.close', 'Month closed'],
  ['user.sign_in.attacked', 'Sign-in of a user attacked by guessing passwords'],
  // An action that this console does not know yet.
  ['robot.dance', 'robot.dance'],
  ['org.dance', 'org.dance'],
])('calls %s "%s"', (action, words) => {
  expect(actionInWords(action)).toBe(words)
})

it.each<[AuditEntry['actor'], string]>([
  [{ kind: 'user', id: '1', name: 'ada@example.com' }, 'ada@example.com'],
  [{ kind: 'user', id: '1', name: null }, 'Deleted user'],
  [{ kind: 'key', id: '0199c0de-0000-7000-8000-00000000abcd', name: null }, 'API key …0000abcd'],
  [{ kind: 'key', id: null, name: null }, 'API key '],
  [{ kind: 'operator', id: null, name: null }, 'Operator'],
  [{ kind: 'system', id: null, name: null }, 'Weir'],
  [{ kind: 'anonymous', id: null, name: null }, 'Anonymous'],
])('calls the actor %o "%s"', (actor, words) => {
  expect(actorInWords(actor)).toBe(words)
})

const entry: AuditEntry = {
  id: '1',
  sequence: 1,
  at: '2026-11-18T00:00:00Z',
  actor: { kind: 'system', id: null, name: null },
  action: 'team.update',
  target: { kind: 'team', id: '0199c0de-0000-7000-8000-00000000abcd' },
  before: null,
  after: null,
  details: null,
  requestId: null,
  hash: '',
}

it.each<[Partial<AuditEntry>, string]>([
  [{ before: { name: 'Old' }, after: { name: 'New' } }, 'New'],
  [{ before: { name: 'Old' } }, 'Old'],
  [{ details: { name: 'Noted' } }, 'Noted'],
  [{ after: { name: null } }, 'Team …0000abcd'],
  [{ target: { kind: 'team', id: 'short' } }, 'Team short'],
  [{ target: null }, ''],
])('calls the object of %o "%s"', (special, words) => {
  expect(objectInWords({ ...entry, ...special })).toBe(words)
})
