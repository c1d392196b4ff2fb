import type { FilterAction, FilterBody, FilterMatcher, FilterRule, FilterTemplate } from '../../api/filters.ts'

/** The form of a filter. Each kind of matcher keeps its own input, so changing the kind loses nothing. */
export interface FilterFields {
  readonly name: string
  readonly enabled: boolean
  readonly action: FilterAction
  readonly kind: FilterMatcher['kind']
  readonly template: string
  readonly keyword: string
  readonly pattern: string
  readonly ignoreCase: boolean
}

/** A new filter flags, which a person can try without rejecting a request. */
export const emptyFilter: FilterFields = {
  name: '',
  enabled: true,
  action: 'flag',
  kind: 'template',
  template: '',
  keyword: '',
  pattern: '',
  ignoreCase: true,
}

export function fieldsOf({ name, enabled, action, matcher }: FilterRule): FilterFields {
  return {
    ...emptyFilter,
    name,
    enabled,
    action,
    kind: matcher.kind,
    ...(matcher.kind === 'template' ? { template: matcher.template } : {}),
    ...(matcher.kind === 'keyword' ? { keyword: matcher.keyword } : {}),
    ...(matcher.kind === 'regex' ? { pattern: matcher.pattern, ignoreCase: matcher.ignoreCase ?? false } : {}),
  }
}

/** The matcher of the chosen kind, or null if its input is empty. */
export function matcherOf(fields: FilterFields, templates: readonly FilterTemplate[]): FilterMatcher | null {
  const { kind, keyword, pattern, ignoreCase } = fields
  switch (kind) {
    case 'template': {
      const found = templates.find(({ template }) => template === fields.template)
      return found === undefined ? null : { kind, template: found.template }
    }
    case 'keyword':
      return keyword.trim() === '' ? null : { kind, keyword: keyword.trim() }
    case 'regex':
      return pattern === '' ? null : { kind, pattern, ignoreCase }
  }
}

export function filterBodyOf(fields: FilterFields, matcher: FilterMatcher): FilterBody {
  return { name: fields.name.trim(), enabled: fields.enabled, action: fields.action, matcher }
}
