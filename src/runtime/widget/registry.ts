import { type ComponentType } from 'react'
import type { AnyWidget, PropsSchema, WidgetProps } from './widget'
import { lazyPart } from '../part/lazyPart'

/** A registered widget without its property types: whoever looks it up by name cannot know them. */
export interface RegisteredWidget {
  name: string
  description: { zh: string; en: string }
  props: PropsSchema
  example: { props: unknown; values?: Readonly<Record<string, unknown>> }
  /** The component, loaded when it is first drawn. Its properties are checked against `props` before. */
  Component: ComponentType<WidgetProps<unknown>>
  load(): Promise<unknown>
  text?(value: unknown): string
}

const widgets = new Map<string, RegisteredWidget>()

/** Makes widgets known by name. A name that is taken is refused. */
export const registerWidgets = (...definitions: readonly AnyWidget[]): void => {
  for (const definition of definitions) {
    const { name, description, props, example, load, text } = definition
    if (widgets.has(name)) throw new Error(`The widget "${name}" is registered already. Give the new one another name.`)
    // The outlet checks the properties against the schema that the component's type is made of.
    const typed = load as () => Promise<{ default: ComponentType<WidgetProps<unknown>> }>
    widgets.set(name, { name, description, props, example, load, Component: lazyPart(typed), ...(text ? { text } : {}) })
  }
}

export const findWidget = (name: string): RegisteredWidget | undefined => widgets.get(name)

/** All widgets, by name: for the validator, the documentation and the contract test. */
export const allWidgets = (): readonly RegisteredWidget[] => [...widgets.values()].sort((a, b) => a.name.localeCompare(b.name))
