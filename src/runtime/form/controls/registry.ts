import type { ComponentType } from 'react'
import { formatOf } from '../../../schema/formats'
import type { PageField } from '../../../schema/model'
import { loadPart } from '../../part/loadPart'
import { findWidget } from '../../widget'
import type { Control, ControlProps } from './control'

const controls = new Map<string, Control>()
const loaded = new Map<string, ComponentType<ControlProps>>()
const loading = new Map<string, Promise<void>>()

/**
 * Makes a control known under a name. A name given twice keeps the later one, so that a widget may replace a control.
 *
 * @example registerControl('stars', { load: () => import('./Stars'), text: (value) => `${value}/5` })
 */
export const registerControl = (name: string, control: Control): void => {
  controls.set(name, control)
  loaded.delete(name)
  loading.delete(name)
}

export const isControl = (name: string): boolean => controls.has(name)

/** A widget as a control. Its text stands until it is loaded, in a table until the cell is entered. */
const widgetControl = (text: (value: unknown) => string = () => ''): Control => ({
  load: () => import('./widget'),
  text,
  bare: true,
})

/** The name under which a control is really registered: its own, that of a widget or of the field's kind, or plain text. */
export const resolveControl = (name: string, field?: PageField): string => {
  if (controls.has(name)) return name
  const widget = findWidget(name)
  if (widget) {
    registerControl(name, widgetControl(widget.text))
    return name
  }
  const kind = field ? formatOf(field.kind).control : undefined
  return kind && controls.has(kind) ? kind : 'text'
}

export const controlOf = (name: string): Control => {
  const control = controls.get(name) ?? controls.get('text')
  if (!control)
    throw new Error(`No control is registered, not even "text" (asked for "${name}"). Import the form through its index.`)
  return control
}

/** The widget of a control, when it has been loaded. */
export const widgetOf = (name: string): ComponentType<ControlProps> | undefined => loaded.get(name)

export const loadControl = (name: string): Promise<void> => {
  if (loaded.has(name)) return Promise.resolve()
  const running = loading.get(name)
  if (running) return running
  const control = controlOf(name)
  const started = loadPart(() => control.load())
    .then(({ default: widget }) => {
      loaded.set(name, widget)
    })
    .catch((error: unknown) => {
      loading.delete(name)
      throw error
    })
  loading.set(name, started)
  return started
}

/** True when a form with these controls can be drawn at once. */
export const areLoaded = (names: readonly string[]): boolean =>
  names.every((name) => loaded.has(name) || controlOf(name).heavy === true)

/** Loads what a form needs before it is drawn. */
export const loadControls = async (names: readonly string[]): Promise<void> => {
  await Promise.all(names.filter((name) => !controlOf(name).heavy).map(loadControl))
}
