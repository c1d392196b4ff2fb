import type { AuditEntry } from '../../api/audit.ts'
import { fieldInWords } from './change-rows.ts'

/** What an action is about, by its name without the verb. */
const objects: Readonly<Record<string, string>> = {
  org: 'Organization',
  'org.cb': 'Spend breaker',
  'org.allowed_models': 'Allowed models',
  team: 'Team',
  'team.cb': 'Spend breaker of a team',
  'team.allowed_models': 'Allowed models of a team',
  org_member: 'Member',
  invitation: 'Invitation',
  'org_member.cb': 'Spend breaker of a member',
  'org_member.allowed_models': 'Allowed models of a member',
  key: 'API key',
  end_customer: 'Customer',
  run: 'Run',
  'byok.key': 'Own key',
  'filter.rule': 'Content filter',
  filter: 'Request',
  'institution.key': 'Institution key',
  'institution.session': 'Institution sessions',
  'institution.code': 'Institution code',
  webhook: 'Webhook delivery',
  'webhook.secret': 'Webhook secret',
  mail: 'Email',
  sink: 'Event sink',
  'wallet.unbilled': 'Limit of unbilled usage',
  wallet: 'Wallet',
  top_up: 'Payment',
  invoice: 'Invoice',
  payment_method: 'Card',
  auto_top_up: 'Automatic top-up',
  alerts: 'Alerts',
  'scim.token': 'Provisioning token',
  'scim.user': 'Provisioned member',
  'scim.group': 'Provisioned group',
  'sign_on.domain': 'Domain',
  'sign_on.connection': 'Identity provider',
  'sign_on.groups': 'Group mappings',
  'sign_on.identity': 'Account',
  'end_customer.token': 'Customer token',
  'end_customer.settings': 'Customer defaults',
  'customer.view': 'Console view',
  user: 'User',
  'user.cb': 'Spend breaker of a user',
  'user.password': 'Password of a user',
  'user.sign_in': 'Sign-in of a user',
  'customer.note': 'Note about a customer',
  provider: 'Provider account',
  'provider.key': 'Key of a provider account',
  'provider.circuit': 'Circuit of a provider',
  route: 'Route',
  catalogue: 'Models and prices',
  free: 'Free model',
  'auto.tier': 'Tier of automatic model selection',
  month: 'Month',
  brake: 'Emergency brake',
  evidence: 'Blocked prompt',
  operator: 'Operator',
  secrets: 'Stored secrets',
  campaign: 'Redemption codes',
}

const verbs: Readonly<Record<string, string>> = {
  create: 'created',
  add: 'added',
  update: 'changed',
  resend: 'sent again',
  repeat: 'repeated',
  accept: 'accepted',
  rotate: 'rotated',
  delete: 'deleted',
  remove: 'removed',
  revoke: 'revoked',
  set: 'set',
  off: 'turned off',
  tripped: 'tripped',
  exceeded: 'exceeded',
  suspend: 'suspended',
  stop: 'stopped',
  unsuspend: 'no longer suspended',
  credit: 'credited',
  refused: 'refused',
  blocked: 'blocked by a content filter',
  redacted: 'redacted by a content filter',
  flagged: 'flagged by a content filter',
  order: 'ordered',
  paid: 'paid',
  refund: 'refunded',
  dispute: 'disputed',
  dispute_won: 'dispute won',
  dispute_lost: 'dispute lost',
  issue: 'issued',
  verify: 'verified',
  link: 'linked',
  begin: 'begun',
  end: 'ended',
  remind: 'reminder sent',
  redeem: 'redeemed a code',
  grant_expired: 'credit expired',
  write_off: 'debt written off',
  transfer: 'balance moved',
  billing_profile: 'billing details changed',
  import: 'imported',
  approve: 'applied',
  reject: 'rejected',
  undo: 'undone',
  replace: 'replaced',
  open: 'opened',
  close: 'closed',
  on: 'turned on',
  show: 'read',
  attacked: 'attacked by guessing passwords',
}

/** An action in words, such as `Content filter created`. An unknown action is shown by its name. */
export function actionInWords(action: string): string {
  const at = action.lastIndexOf('.')
  const object = objects[action.slice(0, at)]
  const verb = verbs[action.slice(at + 1)]
  return object === undefined || verb === undefined ? action : `${object} ${verb}`
}

/** Who acted: an email address, the name of a key, or the kind of actor. */
export function actorInWords({ kind, name, id }: AuditEntry['actor']): string {
  if (name !== null) return name
  switch (kind) {
    case 'user':
      return 'Deleted user'
    case 'key':
      return `API key ${shortId(id ?? '')}`
    case 'operator':
      return 'Operator'
    case 'scim_token':
      return 'Directory'
    case 'system':
      return 'Weir'
    default:
      return 'Anonymous'
  }
}

/** What changed: its name if the entry has one, or its type and the end of its ID. */
export function objectInWords({ target, before, after, details }: AuditEntry): string {
  const name = [after, before, details].map((values) => values?.['name']).find((value) => typeof value === 'string')
  if (name !== undefined) return String(name)
  return target === null ? '' : `${fieldInWords(target.kind)} ${shortId(target.id)}`
}

function shortId(id: string): string {
  return id.length <= 12 ? id : `…${id.slice(-8)}`
}
