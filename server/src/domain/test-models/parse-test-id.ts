import { type FiguredTestModel, type FixedTestModel, figuredTestModels, fixedTestModels } from './known-test-models.ts'

export type TestId =
  | { [Name in FixedTestModel]: { readonly name: Name } }[FixedTestModel]
  | { [Name in FiguredTestModel]: { readonly name: Name; readonly figure: number } }[FiguredTestModel]

const form = /^test\/([a-z-]+?)(?:-(0|[1-9]\d{0,5}))?$/

/** Undefined for an unknown name, or a number outside its family's range. */
export function parseTestId(id: string): TestId | undefined {
  const [, name, figureText] = form.exec(id) ?? []
  if (name === undefined) return undefined
  if (figureText === undefined) return isFixed(name) ? { name } : undefined
  if (!isFigured(name)) return undefined
  const figure = Number(figureText)
  const { least, most } = figuredTestModels[name]
  return figure >= least && figure <= most ? { name, figure } : undefined
}

function isFixed(name: string): name is FixedTestModel {
  return Object.hasOwn(fixedTestModels, name)
}

function isFigured(name: string): name is FiguredTestModel {
  return Object.hasOwn(figuredTestModels, name)
}
