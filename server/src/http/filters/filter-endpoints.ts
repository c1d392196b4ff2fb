import { Type } from 'typebox'
import { changeFilterRule, deleteFilterRule } from '#control/filters/change-filter-rule.ts'
import { createFilterRule } from '#control/filters/create-filter-rule.ts'
import type { FilterRuleDeps } from '#control/filters/filter-rule-deps.ts'
import { tryFilterRules } from '#control/filters/try-filter-rules.ts'
import { filterTemplates } from '#domain/filters/filter-templates.ts'
import type { StoredFilterRule } from '#ports/organization-rules.ts'
import { auditStampOf } from '../author-of.ts'
import { type Endpoint, organizationOf } from '../endpoint.ts'
import {
  newRuleSchema,
  ruleChangeSchema,
  ruleListSchema,
  ruleReplySchema,
  trialBodySchema,
  trialSchema,
} from './filter-schema.ts'

const path = '/api/orgs/:orgId/content-filters'
const common = {
  tag: 'Organizations',
  access: 'filters.manage',
  errors: ['malformedRequest', 'missingRequiredField'],
} as const

/** The content filter rules of an organization. */
export function filterEndpoints(deps: FilterRuleDeps): Endpoint[] {
  return [listRules(deps), createRule(deps), changeRule(deps), deleteRule(deps), tryRules(deps)]
}

function listRules({ store }: FilterRuleDeps): Endpoint {
  return {
    ...common,
    name: 'listContentFilters',
    method: 'GET',
    paths: [path],
    summary: 'List content filters and templates',
    reply: {
      status: 200,
      description: 'All content filters in order, and the available templates.',
      schema: ruleListSchema,
    },
    handle: async (request) => {
      const rules = await store.list(organizationOf(request).organizationId)
      return { body: { data: rules.map(renderRule), templates } }
    },
  }
}

function createRule(deps: FilterRuleDeps): Endpoint {
  return {
    ...common,
    name: 'createContentFilter',
    method: 'POST',
    paths: [path],
    summary: 'Create a content filter',
    body: newRuleSchema,
    reply: { status: 201, description: 'The new content filter.', schema: ruleReplySchema },
    handle: async (request) => {
      const { organizationId } = organizationOf(request)
      const { body, nowMs } = request
      const created = await createFilterRule(deps, { organizationId, body, stamp: auditStampOf(request), nowMs })
      return { body: { data: renderRule(created) } }
    },
  }
}

function changeRule(deps: FilterRuleDeps): Endpoint {
  return {
    ...common,
    name: 'changeContentFilter',
    method: 'PATCH',
    paths: [`${path}/:ruleId`],
    summary: 'Update a content filter',
    description: 'Fields that are omitted stay unchanged.',
    body: ruleChangeSchema,
    reply: {
      status: 200,
      description: 'The updated content filter. Fields omitted from the request are unchanged.',
      schema: ruleReplySchema,
    },
    handle: async (request) => {
      const { organizationId } = organizationOf(request)
      const { body, params } = request
      const change = { organizationId, ruleId: params['ruleId'] ?? '', body, stamp: auditStampOf(request) }
      return { body: { data: renderRule(await changeFilterRule(deps, change)) } }
    },
  }
}

function deleteRule(deps: FilterRuleDeps): Endpoint {
  return {
    ...common,
    name: 'deleteContentFilter',
    method: 'DELETE',
    paths: [`${path}/:ruleId`],
    summary: 'Delete a content filter',
    reply: { status: 204, description: 'The content filter was deleted.', schema: Type.Null() },
    handle: async (request) => {
      const { organizationId } = organizationOf(request)
      await deleteFilterRule(deps, {
        organizationId,
        ruleId: request.params['ruleId'] ?? '',
        stamp: auditStampOf(request),
      })
      return { status: 204 }
    },
  }
}

function tryRules(deps: FilterRuleDeps): Endpoint {
  return {
    ...common,
    name: 'tryContentFilters',
    method: 'POST',
    paths: [`${path}/test`],
    summary: 'Test content filters on a text',
    body: trialBodySchema,
    reply: { status: 200, description: 'The result for each content filter.', schema: trialSchema },
    handle: async (request) => {
      const { organizationId } = organizationOf(request)
      return { body: { data: await tryFilterRules(deps, { organizationId, body: request.body }) } }
    },
  }
}

const templates = Object.entries(filterTemplates).map(([template, about]) => ({ template, ...about }))

function renderRule({ createdAtMs, updatedAtMs, ...rule }: StoredFilterRule) {
  return { ...rule, createdAt: new Date(createdAtMs).toISOString(), updatedAt: new Date(updatedAtMs).toISOString() }
}
