/** Forms: a headless model of all fields, and the screen that shows it. */
export { FormPage } from './FormPage'
export { FormView } from './FormView'
export type { FormViewProps } from './FormView'
export type { Collected, FormHandle } from './view/session'
export type { Saved } from './session/useSubmission'
export type { Control, ControlProps, Choice, TextContext } from './controls/control'
