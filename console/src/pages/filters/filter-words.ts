import type { FilterAction, FilterMatcher, FilterTemplate } from '../../api/filters.ts'

/** The actions, most severe first. */
export const actionWords = {
  block: { label: 'Block', done: 'Blocked', hint: 'Rejects the request. It costs nothing.', tone: 'bad' },
  redact: { label: 'Redact', done: 'Redacted', hint: 'Sends the request without the match.', tone: 'accent' },
  flag: {
    label: 'Flag',
    done: 'Flagged',
    hint: 'Sends the request and notes the match in the audit log.',
    tone: 'accent',
  },
} as const satisfies Record<FilterAction, object>

export const kindWords = {
  template: 'Template',
  keyword: 'Keyword',
  regex: 'Regular expression',
} as const satisfies Record<FilterMatcher['kind'], string>

/** What a filter looks for, such as `Email addresses` or `“project x”`. */
export function matcherInWords(matcher: FilterMatcher, templates: readonly FilterTemplate[]): string {
  switch (matcher.kind) {
    case 'template':
      return templates.find(({ template }) => template === matcher.template)?.title ?? matcher.template
    case 'keyword':
      return `“${matcher.keyword}”`
    case 'regex':
      return `/${matcher.pattern}/${matcher.ignoreCase === true ? 'i' : ''}`
  }
}
