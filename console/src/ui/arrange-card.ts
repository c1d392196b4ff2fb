import type { Column } from './column.ts'

export interface CardColumns<Row> {
  readonly title: Column<Row> | undefined
  /** Without labels, in the corner: menus and buttons. */
  readonly actions: readonly Column<Row>[]
  readonly figures: readonly Column<Row>[]
}

// More figures would make a card as tall as half a phone.
const figuresMax = 4

/**
 * What a phone shows of a row. The title is the marked column, else the first one with a CSV value. The figures are the
 * marked columns and the hidden ones that the person chose, else the first four. Columns without a CSV value act.
 */
export function arrangeCard<Row>(columns: readonly Column<Row>[]): CardColumns<Row> {
  const title = columns.find(({ onPhone }) => onPhone === 'title') ?? columns.find(({ csv }) => csv !== undefined)
  const others = columns.filter((column) => column !== title)
  const facts = others.filter(({ csv }) => csv !== undefined)
  const isMain = (column: Column<Row>) => column.onPhone === 'figure'
  const isChosen = ({ isHidden = false }: Column<Row>) => isHidden
  return {
    title,
    actions: others.filter(({ csv }) => csv === undefined),
    figures: facts.some(isMain)
      ? facts.filter((column) => isMain(column) || isChosen(column))
      : [...facts.filter((column) => !isChosen(column)).slice(0, figuresMax), ...facts.filter(isChosen)],
  }
}
