export { BlockBoundary, BlockError, BlockFailure } from './BlockBoundary'
export { allWidgets, findWidget, registerWidgets, type RegisteredWidget } from './registry'
export { WidgetOutlet } from './WidgetOutlet'
export {
  checkProps,
  type AnyWidget,
  defineWidget,
  type PropsOf,
  type PropsProblem,
  type PropsSchema,
  type WidgetDefinition,
  type WidgetProps,
} from './widget'
