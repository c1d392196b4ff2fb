/** The anchor of a heading, in the form that code hosts use, so that links of the repository work here. */
export function slugOf(text) {
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')
}

/** Escapes template syntax, aligns columns by class, and renders `try-it` fences as the form of that operation. */
export function plainMarkdown(md) {
  const { text, fence } = md.renderer.rules
  md.renderer.rules.text = (...args) => text(...args).replaceAll('{{', '&#123;&#123;')
  md.renderer.rules.fence = (tokens, at, ...rest) => {
    const { info, content } = tokens[at]
    return info === 'try-it' ? `<TryIt id="${content.trim()}" />` : fence(tokens, at, ...rest)
  }
}
