// Words that say nothing about what is searched for. As prefixes they would match almost every page.
const smallWords = new Set(
  'a an and are as at be by can do does for from how i if in is it my of on or that the there this to was what when where which who why with you your'.split(
    ' ',
  ),
)

// The history and the reasons of a thing come after how to use it.
const laterPages = [
  { path: /\/changelog\b/, share: 0.3 },
  { path: /\/decisions\b/, share: 0.6 },
]

export const searchOptions = {
  combineWith: 'AND',
  boost: { title: 4, text: 2, titles: 1 },
  boostDocument: (id) => laterPages.find(({ path }) => path.test(id))?.share ?? 1,
  fuzzy: (term) => (term.length > 3 ? 0.2 : false),
  prefix: (term) => term.length > 2,
  processTerm: (term) => {
    const word = term.toLowerCase()
    return smallWords.has(word) ? null : word
  },
}
