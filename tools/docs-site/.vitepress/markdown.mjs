/** The name of a heading as code hosts make it, so that links of the repository lead to it. */
export function slugOf(text) {
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')
}

/**
 * Keeps text from being read as a template, aligns columns by class, and shows `try-it` fences as the form of that
 * operation.
 */
export function plainMarkdown(md) {
  const { text, fence } = md.renderer.rules
  md.renderer.rules.text = (...args) => text(...args).replaceAll('{{', '&#123;&#123;')
  md.renderer.rules.fence = (tokens, at, ...rest) => {
    const { info, content } = tokens[at]
    return info === 'try-it' ? `<TryIt id="${content.trim()}" />` : fence(tokens, at, ...rest)
  }
}
