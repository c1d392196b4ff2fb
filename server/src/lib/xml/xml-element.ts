/** An element of a parsed XML document. Prefixes are resolved. */
export interface XmlElement {
  /** Empty if the element is in no namespace. */
  readonly namespace: string
  readonly name: string
  readonly attributes: readonly XmlAttribute[]
  /** The namespaces that this element declares. */
  readonly declared: readonly string[]
  readonly children: readonly XmlElement[]
  /** The text directly inside the element, without that of its children. */
  readonly text: string
}

export interface XmlAttribute {
  /** Empty unless the attribute has a prefix. */
  readonly namespace: string
  readonly name: string
  readonly value: string
}

export function childrenNamed(parent: XmlElement, namespace: string, name: string): readonly XmlElement[] {
  return parent.children.filter((child) => child.namespace === namespace && child.name === name)
}

/** The value of an attribute without a prefix. */
export function attributeOf({ attributes }: XmlElement, name: string): string | null {
  return attributes.find((attribute) => attribute.namespace === '' && attribute.name === name)?.value ?? null
}

/** The element and everything below it, in document order, each with its parent. */
export function* walkXml(
  element: XmlElement,
  parent: XmlElement | null = null,
): Generator<{ element: XmlElement; parent: XmlElement | null }> {
  yield { element, parent }
  for (const child of element.children) yield* walkXml(child, element)
}
