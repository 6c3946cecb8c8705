import type { ComponentType } from 'react'

import type { PropsOf, PropsSchema } from '../../schema/props'

export { checkProps, type PropsOf, type PropsProblem, type PropsSchema } from '../../schema/props'

/** What a widget gets: its validated properties, and what the place gives (record, row, value, query; of a page its title ...). */
export interface WidgetProps<P> {
  props: P
  values: Readonly<Record<string, unknown>>
}

export interface WidgetDefinition<S extends PropsSchema = PropsSchema> {
  /** Registered name, module.widget in camel case. */
  name: string
  /** One line in both languages, for the documentation. */
  description: { zh: string; en: string }
  props: S
  /** The component, in a chunk of its own. */
  load(): Promise<{ default: ComponentType<WidgetProps<PropsOf<NoInfer<S>>>> }>
  /** Of one that serves as a control: its value as people read it in a cell of a table, until the cell is entered. */
  text?(value: unknown): string
  /** Properties (and values of a place) that the documentation shows and the contract test renders. */
  example: { props: PropsOf<NoInfer<S>>; values?: Readonly<Record<string, unknown>> }
}

/** Any widget, whatever its properties are: what a registry takes. */
export interface AnyWidget {
  name: string
  description: { zh: string; en: string }
  props: PropsSchema
  load(): Promise<{ default: unknown }>
  text?(value: unknown): string
  example: { props: unknown; values?: Readonly<Record<string, unknown>> }
}

/**
 * Describes a widget once: the types of its component, the validation of its properties, its documentation and its contract
 * test come from here. `const` keeps the schema's literal types.
 *
 * @example
 * export const mailCount = defineWidget({
 *   name: 'mail.count', description: { zh: '未读邮件数', en: 'Unread mail' },
 *   props: { type: 'object', properties: { folder: { type: 'string' } }, required: ['folder'] },
 *   load: () => import('./MailCount'), example: { props: { folder: 'inbox' } },
 * })
 */
export const defineWidget = <const S extends PropsSchema>(definition: WidgetDefinition<S>): WidgetDefinition<S> =>
  Object.freeze(definition)
